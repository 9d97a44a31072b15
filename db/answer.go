package db

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"angelpost/engine/notice"
)

// usual is what answers usually hold; changing it would make stored ones
// unreadable. The head of the letter's thread, which names the game and its
// players, stands before it in the dictionary.
var usual = func() []byte {
	var b strings.Builder
	b.WriteString(`],"preview":["],"press":[{"from":"","to":"","text":""}],"sections":[{"kind":"legal"},{"kind":"board"},` +
		`{"kind":"history","from":1}],"problem":{"code":"illegal","rule":"R","read":"","args":{"reason":""},` +
		`"candidates":["","suggestions":["","status":"refused"},{"status":"unread"},{"status":"dropped"},{"status":"passed"},` +
		`"names":["","organiser":"","players":,"rules":"base","edition":"revised","set":"","visibility":"private","commitment":"","expires":"2026-` +
		`","remarks":[{"code":"started","args":{"name":"","commitment":"","mixed":"no"}}],"visibility":"listed"}` +
		`"],"status":"applied"},{"n":0,"text":"","as":["die orange flip"],"status":"forced"},{"n":0,"text":"","as":["` +
		`undo done pass decline collect deny reserve inject row 3 take t a1 advanced discard 0 mission 0 repair at 3 destroy at 5 ` +
		`locations 1 2 3 4 5 6 cube 1 on 2.2 cube on 3.3 debris cube 5 on 1.1 ship robot to gray robot to orange robot to green ` +
		`activate 1.1 draw activate 2.2 activate 3.3 command at 4 launch to b place 0 at d ship to discover at 1 take a die gray ` +
		`die green die orange 2 from seat 1 from seat 2 from seat 3 from seat 4 card 0 at column 2 card 0 at row 3`)
	for n := 12; n > 1; n-- {
		b.WriteString(`"],"status":"applied"},{"n":` + strconv.Itoa(n) + `,"text":"`)
	}
	b.WriteString(`"],"status":"applied"}],"visibility":"unlisted"}"],"status":"applied"}],"remarks":[{"code":"turn-goes-on"}],"visibility":"unlisted"}` +
		`"],"status":"applied"}],"remarks":[{"code":"turn-done"},{"code":"you-owe"}],"visibility":"unlisted"}` +
		`"],"remarks":[{"code":"turn-done"}],"visibility":"unlisted"}{"game_name":"","names":["","lines":[{"n":1,"text":"","as":["`)
	return []byte(b.String())
}()

// tail ends every deflated text and is not stored (as in RFC 7692, 7.2.1).
const tail = "\x00\x00\xff\xff"

// deflate packs the JSON of an answer. head is the packed answer of the letter
// heading its thread, nil for a head.
func deflate(text, head []byte) ([]byte, error) {
	dict, err := dictionary(head)
	if err != nil {
		return nil, err
	}
	return pack(text, dict)
}

var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// inflate unpacks what deflate packed with the same head.
func inflate(b, head []byte, a *notice.Answer) error {
	dict, err := dictionary(head)
	if err != nil {
		return err
	}
	text, err := unpack(b, dict)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, a)
}

func dictionary(head []byte) ([]byte, error) {
	if head == nil {
		return usual, nil
	}
	text, err := unpack(head, usual)
	if err != nil {
		return nil, fmt.Errorf("head of the thread: %w", err)
	}
	return append(text, usual...), nil
}

func unpack(b, dict []byte) ([]byte, error) {
	const last = "\x01\x00\x00\xff\xff" // an empty block that ends the stream
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(io.MultiReader(bytes.NewReader(b), strings.NewReader(tail+last)), dict); err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
