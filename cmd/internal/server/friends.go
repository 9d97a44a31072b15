package server

import (
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// publicProviders are domains at which anyone can get a mailbox, as of November 2026: naming one
// of them among friends would name half the world.
var publicProviders = func() map[string]bool {
	all := map[string]bool{}
	for d := range strings.FieldsSeq(`
		gmail.com googlemail.com
		outlook.com hotmail.com live.com msn.com passport.com windowslive.com outlook.de outlook.fr outlook.es outlook.it outlook.jp outlook.com.br outlook.com.au
		hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.nl hotmail.be hotmail.se hotmail.com.br live.co.uk live.fr live.de live.nl live.it live.se live.be live.ca live.com.au
		yahoo.com ymail.com rocketmail.com myyahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.co.in yahoo.in yahoo.com.br yahoo.com.au yahoo.co.jp yahoo.com.ar yahoo.com.mx
		aol.com aim.com aol.de aol.co.uk aol.fr verizon.net
		icloud.com me.com mac.com privaterelay.appleid.com
		proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me
		gmx.de gmx.net gmx.com gmx.at gmx.ch gmx.org gmx.co.uk gmx.fr web.de email.de mail.com email.com usa.com consultant.com
		t-online.de magenta.de freenet.de arcor.de online.de vodafone.de mailbox.org posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.ch disroot.org riseup.net
		fastmail.com fastmail.fm hey.com zoho.com zohomail.com zohomail.eu hushmail.com startmail.com runbox.com mailfence.com inbox.com duck.com simplelogin.com addy.io mozmail.com
		orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr
		libero.it virgilio.it tiscali.it alice.it tim.it tin.it inwind.it iol.it
		telefonica.net terra.es terra.com.br uol.com.br bol.com.br ig.com.br sapo.pt
		btinternet.com sky.com talktalk.net ntlworld.com virginmedia.com blueyonder.co.uk o2.co.uk
		comcast.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com netzero.net optonline.net rogers.com shaw.ca sympatico.ca telus.net videotron.ca
		bigpond.com bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz
		ziggo.nl kpnmail.nl planet.nl home.nl hetnet.nl xs4all.nl upcmail.nl telenet.be skynet.be proximus.be bluewin.ch hispeed.ch sunrise.ch
		wp.pl o2.pl tlen.pl onet.pl op.pl onet.eu poczta.onet.pl interia.pl interia.eu poczta.fm gazeta.pl
		seznam.cz email.cz post.cz centrum.cz centrum.sk atlas.cz azet.sk zoznam.sk freemail.hu citromail.hu abv.bg mail.bg
		telia.com bredband.net online.no start.no elisanet.fi kolumbus.fi luukku.com
		mail.ru bk.ru inbox.ru list.ru internet.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua meta.ua
		qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn aliyun.com
		naver.com daum.net hanmail.net nate.com docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp rediffmail.com
		walla.co.il walla.com netvision.net.il`) {
		all[d] = true
	}
	return all
}()

// checkFriends returns why the list of friends cannot be that, nil if it can.
func (c *Config) checkFriends() error {
	for _, f := range c.Friends {
		domain, isDomain := friendDomain(f)
		switch {
		case !isDomain && (NormalizeAddress(f) == "" || c.Own(NormalizeAddress(f))):
			return fmt.Errorf(`friends: %q is neither a mail address nor a domain such as "chess-club.example"`, f)
		case !isDomain:
		case domain == "":
			return fmt.Errorf(`friends: %q is neither a mail address nor a domain such as "chess-club.example"`, f)
		case publicProviders[domain]:
			return fmt.Errorf("friends: anyone can have an address at %s, so name your friends' addresses instead", domain)
		}
		if suffix, _ := publicsuffix.PublicSuffix(domain); isDomain && suffix == domain {
			return fmt.Errorf("friends: anyone can have a domain that ends with %s, so name your friends' addresses instead", domain)
		}
	}
	return nil
}

// friendDomain returns the domain that an entry of friends names, "" if it is none; ok is false
// if it names an address.
func friendDomain(f string) (domain string, ok bool) {
	f = strings.TrimPrefix(f, "@")
	if strings.Contains(f, "@") {
		return "", false
	}
	_, domain, _ = strings.Cut(NormalizeAddress("x@"+f), "@")
	return domain, true
}

// friends are the entries of friends as letters are compared with them.
func (c *Config) friends() (all []string) {
	for _, f := range c.Friends {
		if domain, ok := friendDomain(f); ok {
			f = domain
		}
		all = append(all, f)
	}
	return all
}

// DomainsUnchecked are domains among friends that do not count, because no one checks who wrote
// a letter.
func (c *Config) DomainsUnchecked() (all []string) {
	for _, f := range c.Friends {
		if domain, ok := friendDomain(f); ok && c.AuthservID == "" && !c.CheckSenders {
			all = append(all, domain)
		}
	}
	return all
}
