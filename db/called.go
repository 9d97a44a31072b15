package db

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"

	"angelpost/engine/store"
)

// forMigrations gives the connection of a transaction the functions that schema/0023.sql calls.
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
		)
	})
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
