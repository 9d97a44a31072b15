// Package wire opens the TCP connections that mail/imapbox and mail/outbox
// speak over, so that both treat TLS and certificates alike.
//
// It promises: nothing is ever said in the clear to a host that is not this
// machine; a certificate is always checked, against the system's roots or the
// given file; dialling and handshake end when the context ends.
package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// The TLS modes a configuration may name.
const (
	TLS      = "tls"      // TLS from the first byte (RFC 8314)
	StartTLS = "starttls" // in the clear, then STARTTLS before anything else
	None     = "none"     // in the clear, to this machine only
)

const (
	dialTimeout   = 30 * time.Second
	maxCAFileSize = 1 << 20
)

// Server says where a mail server is and how it is reached.
type Server struct {
	Addr   string // host:port
	TLS    string // one of the modes above
	CAFile string // PEM file of roots to trust instead of the system's, or empty
	// Dial replaces the TCP dialler, for tests; nil for the usual one.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Certificate gets the server's certificate after each successful check; nil for none.
	Certificate func(*x509.Certificate)
}

// Check returns an error if s is not valid. It does not use the network.
func (s Server) Check() error {
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil || host == "" || port == "" {
		return fmt.Errorf("address %q is not host:port", s.Addr)
	}
	switch s.TLS {
	case TLS, StartTLS, None:
	default:
		return fmt.Errorf("tls = %q: want %q, %q or %q", s.TLS, TLS, StartTLS, None)
	}
	_, err = s.ClientConfig()
	return err
}

// ClientConfig is the TLS configuration for s. It fails when the CA file
// cannot be read or holds no certificate.
func (s Server) ClientConfig() (*tls.Config, error) {
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", s.Addr, err)
	}
	config := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if s.Certificate != nil {
		config.VerifyConnection = func(c tls.ConnectionState) error {
			s.Certificate(c.PeerCertificates[0]) // a server always has one
			return nil
		}
	}
	if s.CAFile == "" {
		return config, nil
	}
	pem, err := readSmall(s.CAFile, maxCAFileSize)
	if err != nil {
		return nil, fmt.Errorf("ca_file: %w", err)
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("ca_file %s holds no PEM certificate", s.CAFile)
	}
	return config, nil
}

// Open connects to s. In the mode "tls" it also completes the handshake. In the mode "none"
// it refuses a peer that is not on a loopback address.
func (s Server) Open(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	dial := s.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	conn, err := dial(ctx, "tcp", s.Addr)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", s.Addr, err)
	}
	switch s.TLS {
	case TLS:
		config, err := s.ClientConfig()
		if err != nil {
			conn.Close()
			return nil, err
		}
		secure := tls.Client(conn, config)
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, fmt.Errorf("TLS with %s: %w", s.Addr, err)
		}
		return secure, nil
	case None:
		// Asked of the connection, not of the name: a name may lie.
		if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
			conn.Close()
			return nil, fmt.Errorf("tls = %q is for this machine only, and %s is %s", None, s.Addr, tcp.IP)
		}
	}
	return conn, nil
}

// Watch closes conn when ctx ends, which unblocks its readers and writers.
// The returned function ends the watch and must be called.
func Watch(ctx context.Context, conn net.Conn) (stop func() bool) {
	return context.AfterFunc(ctx, func() { conn.Close() })
}

func readSmall(path string, max int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > max {
		return nil, errors.New(path + " is too large")
	}
	return raw, nil
}
