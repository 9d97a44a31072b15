package templates

import (
	"time"

	"angelpost/engine/rated"
	"angelpost/engine/rating"
	"angelpost/templates/words"
)

// soloLine says what a player's solo games at one level came to.
func soloLine(c *words.Catalogue, s rated.Solo) string {
	kind := c.Say("rating.hal", "level", c.Say("options.hal-"+s.Hal)) + " · " + c.Say("options.rules-"+s.Rules)
	x := rating.Rating{Mu: s.Mu, Sigma: s.Sigma}
	text := c.Say("rating.solo-line", "kind", kind, "won", s.Won, "games", s.Games, "left", s.Left, "rating", tenths(x.Mu)+" ± "+tenths(x.Margin()))
	if s.Provisional {
		text += " " + c.Say("rating.line-provisional")
	}
	if s.Played > 0 {
		text += " " + c.Say("rating.solo-vp", "vp", tenths(s.VP), "hal", tenths(s.HalVP), "best", s.Best)
	}
	return text
}

// soloAbout says which solo games count, and who sees what they come to.
func soloAbout(c *words.Catalogue) string {
	return c.Say("rating.solo-about", "hal", tenths(rated.SoloHal().Mu), "days", int(rated.SoloIdle/(24*time.Hour)))
}
