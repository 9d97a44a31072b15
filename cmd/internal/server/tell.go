package server

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"angelpost/engine/notice"
	"angelpost/mail/outbox"
	"angelpost/templates/words"
)

// TellHost sends the host a letter with one remark, now and by itself: a machine that does not serve has
// no database in which a letter could wait. Without a host it sends none.
func (c *Config) TellHost(ctx context.Context, code string, args map[string]string) error {
	if c.Alarms == "" {
		return nil
	}
	raw, err := c.hostLetter(code, args)
	if err != nil {
		return err
	}
	return outbox.SendOne(ctx, c.OutboxServer(), outbox.Letter{From: c.Plain(), To: c.Alarms}, raw)
}

func (c *Config) hostLetter(code string, args map[string]string) ([]byte, error) {
	m := notice.Message{
		Kind: notice.KindInfo, To: c.Alarms, Date: time.Now(), MessageID: "standby." + strings.ToLower(rand.Text()) + "@" + c.Host(),
		Result: notice.None, Answer: notice.Answer{Remarks: []notice.Remark{{Code: code, Args: args}}},
	}
	raw, err := (&Server{Conf: c, Words: words.English()}).write(&notice.Input{Message: m}, nil)
	if err != nil {
		return nil, err
	}
	signer, err := c.Signer()
	if err != nil || signer == nil {
		return raw, err
	}
	return signer.Sign(raw)
}
