package outbox

import "context"

// SendOne hands one letter to a server at once, without a queue: for a host
// who checks their settings. It ends with ctx; the error says what the server
// refused.
func SendOne(ctx context.Context, s Server, l Letter, raw []byte) error {
	if err := s.Check(); err != nil {
		return err
	}
	sess, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer sess.close()
	always := func(context.Context) error { return nil }
	_, _, err = sess.send(ctx, l, raw, always, always)
	return err
}
