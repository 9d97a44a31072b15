package outbox

import (
	"bytes"
	"errors"
	"fmt"
)

// Data is a file of JSON that a letter brings.
type Data struct{ Name, Text string }

// writeData writes the part with a file of data.
func writeData(out *bytes.Buffer, d *Data) error {
	if !isDotAtom(d.Name) || d.Text == "" {
		return errors.New("data: it needs a name and a text")
	}
	field(out, "Content-Type", fmt.Sprintf("application/json;\r\n name=%q", d.Name))
	field(out, "Content-Transfer-Encoding", "base64")
	field(out, "Content-Disposition", fmt.Sprintf("attachment; filename=%q", d.Name))
	out.WriteString("\r\n")
	writeBase64(out, []byte(d.Text))
	return nil
}
