# make run    the demo: a game against two bots, its mail host and its pages
# make test   every test that needs nothing but Go and gcc
# The rest:   build, test-real, test-clients, bench, corpus, mailbench, soak, fuzz, mutate, departures, pictures, looks, generate, check, release, deb

GO      ?= go
BIN     := bin/angelpost

.PHONY: run build test test-real test-clients bench corpus mailbench soak fuzz mutate departures pictures looks generate check release deb clean

run: build
	@$(BIN) demo

build:
	@[ -x $(BIN) ] || echo "Building $(BIN). The first build compiles SQLite, which takes a minute or two."
	@mkdir -p bin
	@$(GO) build -o $(BIN) ./cmd/angelpost

test:
	@echo "Running the tests. The first run compiles SQLite, which takes a minute or two."
	$(GO) test -timeout 30m ./...
	@sh .ci/peers

# Dovecot, Postfix, neomutt, Chromium and what else .ci/run installs or unpacks from Debian, axe-core by
# npm. Games by mail wait for servers more than they work: many at a
# time. What make test runs is not run again.
test-real: build
	$(GO) test -tags real -count=1 -parallel 10 -timeout 40m -run "$$(sh .ci/peers -run)" ./cmd/... ./mail/... ./db/...

# Thunderbird, Claws Mail and Roundcube answer a notice, in two languages, on a screen of their
# own. Their letters are kept in mail/letter/testdata/real, where make test reads them. By hand:
# it needs mail/letter/testdata/real/packages from Debian.
test-clients:
	$(GO) test -tags 'real clients' -count=1 -timeout 30m -v -run '^TestMailPrograms$$' ./mail/letter

bench:
	$(GO) test -p 1 -run '^$$' -bench . -benchmem ./...

# The letters that mailbench reads, from their recipes.
corpus:
	$(GO) test -count=1 -run '^TestCorpus$$' ./mail/letter -corpus

# How well letters are read, into mail/letter/READING.md.
mailbench:
	$(GO) test -count=1 -run '^TestMailbench$$' ./mail/letter -mailbench

# Every fuzz target there is, for FUZZTIME each. Left to itself it would try for a
# minute to shorten each find, which is most of the time.
FUZZTIME ?= 5m

fuzz:
	@grep -roE '^func Fuzz[A-Za-z0-9]+' --include='*_test.go' . | sed -E 's|^\./(.*)/[^/]*:func |\1 |' | sort | while read in name; do \
		echo "$$name in $$in, $(FUZZTIME)"; \
		$(GO) test "./$$in" -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x </dev/null || exit 1; \
	done

# Hours for the rules; the kills take minutes, and need what test-real needs. The release and
# its packages, which try themselves, need theirs.
soak: fuzz
	$(MAKE) deb
	$(GO) test -tags real -count=1 -timeout 1h -v -run '^(TestPipeline|TestMemory|TestLateTurns)$$' ./cmd/internal/server -soak -letters 5000 -games 10000
	$(GO) test -count=1 -v -run '^TestPageSpeed$$' ./cmd/internal/secrecytest -soak
	$(GO) test -count=1 -timeout 8h -v -run '^TestRetention$$' ./cmd/internal/server -retention.days 365 -retention.keep 90 -retention.letters 1000
	$(GO) test -tags real -count=1 -v -run '^TestFirstPaint$$' ./cmd/internal/browsertest
	$(GO) test -tags real -count=1 -timeout 2h -run '^TestKills($$|ByLMTP|WithReplica)' ./cmd/internal/killtest -kills 520 -report "$(CURDIR)/mail/RELIABILITY.md"
	$(GO) test -tags real -count=1 -timeout 1h -run '^TestKillsWithStandby$$' ./cmd/internal/killtest -kills 600 -standby.waits -report "$(CURDIR)/mail/RELIABILITY.md"
	$(GO) test -tags real -count=1 -timeout 1h -run '^TestStoppedMachine$$' ./cmd/internal/killtest -stops 20
	$(GO) test -tags real -count=1 -timeout 1h -v -run '^TestPartitions$$' ./cmd/internal/killtest -partitions 20 -standby.waits
	$(GO) test -tags real -count=1 -timeout 1h -v -run '^TestTwoServersAtOnce$$' ./cmd/internal/server -shards.letters 300 -shards.rounds 5 -shards.aims
	$(GO) test -tags real -count=1 -timeout 4h -run '^TestServers$$' ./cmd/internal/lettertest -servers.whole
	$(GO) test -tags real -count=1 -timeout 1h -run '^TestCutAnywhere$$' ./mail/imapbox -cut.step 4
	$(GO) test -count=1 -timeout 2h ./engine/game -run 'EveryChange|Verify' -tamper.every 1
	$(GO) test -count=1 ./engine/match/desk -run '^TestStoreFails$$' -refuse.every 1
	$(GO) test -count=1 -timeout 1h -run '^TestCopies$$' ./cmd/internal/copies -copies.sequences 1000
	$(GO) test -count=1 -timeout 6h ./engine -run 'Random|Property|Scorer' -games 100000
	$(GO) test -count=1 -timeout 2h ./engine/league -run '^(TestRandomLeagues|TestSeasons)$$' -leagues 3000 -seasons 1000
	$(GO) test -count=1 -timeout 3h -v -run '^TestDecade$$' ./cmd/internal/season -years 10 -decade.report "$(CURDIR)/engine/league/LEAGUES.md"
	$(GO) test -tags real -count=1 -timeout 24h -v -run '^TestTenYears$$' ./cmd/internal/season -ten.days 3650 -ten.players 200 -ten.report "$(CURDIR)/mail/RELIABILITY.md"
	$(GO) test -tags real -count=1 -timeout 1h -v -run '^TestSeason$$' ./cmd/internal/season -season
	$(GO) test -tags real -count=1 -timeout 4h -v -run '^TestCrowd$$' ./cmd/internal/season -crowd 2000 -crowd.report "$(CURDIR)/db/LOAD.md"
	$(GO) test -count=1 -timeout 6h -v ./engine/sim -run '^TestTunedSet$$' -tuned 10000
	$(GO) test -count=1 -timeout 6h ./cmd/internal/secrecytest -run Secrecy -secret-games 20 -secret-every 1

mutate:
	$(GO) test -tags mutation -count=1 -timeout 2h -v ./engine -run TestMutations

# How often what engine/DEPARTURES.md lists happens.
departures:
	$(GO) test -count=1 -timeout 2h ./engine -run '^TestDepartures$$' -departures 10000 -departures.report "$(CURDIR)/engine/DEPARTURES.md"

# The README's pictures, from a game in Chromium.
pictures:
	@mkdir -p web/readme
	$(GO) test -tags real -count=1 -run '^TestPictures$$' ./cmd/internal/browsertest -pictures "$(CURDIR)/web/readme"

# Pictures of every kind of page, or of those that ONLY matches, at four widths, light
# and dark, to be looked at.
LOOKS ?= bin/looks
ONLY  ?=

looks:
	@mkdir -p $(LOOKS)
	$(GO) test -tags real -count=1 -timeout 30m -run '^TestEveryPageIsPictured$$' ./cmd/internal/browsertest -pages "$(abspath $(LOOKS))" -only "$(ONLY)"

generate:
	$(GO) tool templ generate
	$(GO) test -count=1 ./cmd/internal/licences -update

# What may stand beside this file; a program built here by hand may not.
TOP := ^(cmd|engine|mail|web|db|templates|findings|\.ci)/|^(go\.(mod|sum)|Makefile|(README|ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md|LICENSE|\.gitignore|\.gitattributes)$$

check:
	@! git ls-files | grep -vE '$(TOP)' || { echo "does not belong at the top"; exit 1; }
	@test -z "$$(gofmt -l $$(git ls-files '*.go' | grep -v _templ.go))" || { echo "gofmt:"; gofmt -l $$(git ls-files '*.go' | grep -v _templ.go); exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags "real clients" ./...
	$(GO) tool staticcheck -tags "real,clients" ./...

clean:
	rm -rf bin

# Static binaries for linux amd64 and arm64, each tried, and their checksums. Needs the
# Debian packages of cmd/angelpost/release.packages.
RELEASE ?= bin/release

release:
	@GO="$(GO)" sh cmd/angelpost/release.sh "$(abspath $(RELEASE))"

# Debian packages of that release, for amd64 and arm64.
deb: release
	@for arch in amd64 arm64; do \
		binary=$$(ls $(RELEASE)/angelpost-*-linux-$$arch); version=$${binary##*/angelpost-}; \
		GO="$(GO)" sh cmd/angelpost/packaging/deb.sh $$binary $$arch $${version%-linux-*} $(RELEASE) || exit 1; \
	done
