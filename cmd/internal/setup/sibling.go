package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"angelpost/cmd/internal/server"
	"angelpost/cmd/internal/shards"
)

// checkSibling checks that a sibling server serves pages and knows this server: asked for one
// of our games, it must link to our pages.
func checkSibling(ctx context.Context, c *server.Config, of shards.Sibling) *complaint {
	game := c.Shard + strings.Repeat("a", 16-len(c.Shard)) // no game has this name
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(of.URL, "/")+"/g/"+game, nil)
	if err != nil {
		return complain(err, "Check url of this [[sibling]].")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return complain(err, "Check url of this [[sibling]], and whether that server runs.")
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	switch here := strings.TrimRight(c.HTTP.BaseURL, "/") + "/g/" + game; {
	case err != nil:
		return complain(err, "Check whether that server runs.")
	case res.StatusCode != http.StatusNotFound:
		return complain(fmt.Errorf("it answers %s where it has no game", res.Status), "Check url of this [[sibling]]: it must be that server's http.base_url.")
	case !strings.Contains(string(body), here):
		return complain(errors.New("it does not know this server"),
			fmt.Sprintf("Give its configuration a [[sibling]] with shard = %q, address = %q and url = %q.", c.Shard, c.Address, c.HTTP.BaseURL))
	}
	return nil
}
