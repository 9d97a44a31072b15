package db

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"

	"angelpost/engine/store"
)

// forMigrations gives the connection of a transaction the functions that schema/*.sql call.
func (t *tx) forMigrations() error {
	return t.c.Raw(func(driver any) error {
		c, ok := driver.(*sqlite3.SQLiteConn)
		if !ok {
			return fmt.Errorf("migrate: a connection of %T", driver)
		}
		return errors.Join(
			c.RegisterFunc("game_name", store.GameName, true),
			c.RegisterFunc("stand_in", store.StandIn, true),
			c.RegisterFunc("renamed", renamed, true),
			c.RegisterFunc("new_secret", newSecret, false),
		)
	})
}

// newSecret is 32 random bytes. SQLite's own are no secret where there is no /dev/urandom: it then
// begins with the time and the process.
func newSecret() []byte {
	b := make([]byte, 32)
	rand.Read(b) // it never fails
	return b
}

// renamed is an object of JSON in which players are called otherwise; names is an object, too, of
// their new names by their old ones.
func renamed(text, names string) (string, error) {
	var called map[string]string
	if err := json.Unmarshal([]byte(names), &called); err != nil {
		return "", err
	}
	var pairs []string
	for old, name := range called { // none has a character that JSON escapes
		pairs = append(pairs, `"name":"`+old+`"`, `"name":"`+name+`"`)
	}
	return strings.NewReplacer(pairs...).Replace(text), nil
}
