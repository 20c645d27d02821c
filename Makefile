# SPDX-License-Identifier: Apache-2.0
# `make` lists what there is to make.

PREFIX ?= /usr
DESTDIR ?=
SWIFT ?= swift
# STRICT=1: a warning is an error.
STRICT ?=

# What building needs, and what testing and the demo need besides (Debian 12; building also on 13, whose compiler is another one).
DEBIAN = $(shell . /etc/os-release; echo $$VERSION_ID)
GCC = $(if $(filter 13,$(DEBIAN)),14,12)
BUILD_PACKAGES = pkg-config libstdc++-$(GCC)-dev libsystemd-dev libtomlplusplus-dev libsimdjson-dev libssl-dev libicu-dev libzip-dev \
	libexpat1-dev libmd4c-dev libuchardet-dev libseccomp-dev libzstd-dev libxml2-dev zlib1g-dev libtag1-dev libacl1-dev
TEST_PACKAGES = systemd systemd-sysv dbus systemd-container procps util-linux e2fsprogs xfsprogs btrfs-progs zip vim-nox nano tmux \
	mmdebstrap python3-venv samba-common-bin bindfs zstd jq openssl xxd samba smbclient \
	iproute2 tidy mandoc zsh fish python3 python3-dbus python3-gi libglib2.0-bin shellcheck poppler-utils catdoc libetonyek-tools

SUDO = $(if $(filter 0,$(shell id -u)),,sudo)
# Tables of addresses are read-only once a program runs.
HARDENED = $(foreach word,-z relro -z now,-Xlinker $(word))
# Where there is no gold (Debian 13), Swift takes the linker bfd, which leaves that out of programs with Swift's sections; lld comes with Swift.
LINKER = $(if $(shell command -v ld.gold),,-Xswiftc -use-ld=lld)
RELEASE = -c release --static-swift-stdlib $(HARDENED) $(LINKER) $(if $(STRICT),-Xswiftc -warnings-as-errors -Xcc -Werror)
BUILT = .build/release
SHARE ?=

.PHONY: help packages build-packages list-build-packages build deb test test-package test-parts test-kills lint demo bench accuracy install clean

help:
	@echo 'make demo              a made-up class writes for half a minute; then look around (Ctrl-C ends it)'
	@echo 'make demo SHARE=DIR    the same on a folder of yours'
	@echo 'make test              everything is tested, as root also the systemd units in a container'
	@echo 'make test-kills        kills the writer of the journal 1,000 times (KILLS=10000: more often) and looks what is left'
	@echo 'make test-package      the package is installed, upgraded while students work, removed and purged on a fresh Debian; as root. ON=trixie: on that one'
	@echo 'make test-parts        the package among real servers and editors, and what goes wrong on a server; as root'
	@echo 'make build             the programs, into $(BUILT); they need no Swift on the server'
	@echo 'make deb               a Debian package of them for this release of Debian, into .build/deb; VERSION=… gives it another version'
	@echo 'make install           installs them with manual pages, completions and systemd units below $$(DESTDIR)$$(PREFIX); after make build'
	@echo 'make lint              the style of Swift and shell files'
	@echo 'make bench             how fast it is, beside plain tools'
	@echo 'make accuracy          what it says about work in real editors and on real servers, beside the truth (20 minutes; as root)'
	@echo 'make packages          the Debian packages that building and testing need (the others do this by themselves)'
	@echo 'make clean             removes what was built'

# Installs what is missing of $(1), and touches nothing where nothing is.
define install_packages
	@missing=; for package in $(1); do \
	    [ "$$(dpkg-query --show --showformat='$${db:Status-Status}' $$package 2> /dev/null)" = installed ] || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    command -v apt-get > /dev/null || { echo "this is not Debian; please install what corresponds to:$$missing" >&2; exit 1; }; \
	    [ -z "$(SUDO)" ] || command -v sudo > /dev/null || { echo "please run as root: apt-get install$$missing" >&2; exit 1; }; \
	    echo "installing$$missing"; \
	    $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing > /dev/null; \
	fi
endef

packages:
	$(call install_packages,$(BUILD_PACKAGES) $(TEST_PACKAGES))

# For a root of another Debian; DEBIAN=13: of that one.
list-build-packages:
	@echo $(BUILD_PACKAGES) $(DEB_PACKAGES)

build-packages:
	$(call install_packages,$(BUILD_PACKAGES))

build: build-packages
	$(SWIFT) build $(RELEASE)

DEB_PACKAGES = build-essential debhelper dpkg-dev fakeroot binutils python3 lintian
VERSION ?=

deb: build
	$(call install_packages,$(DEB_PACKAGES))
	packaging/deb.sh $(VERSION)
	lintian --fail-on error,warning .build/deb/daybook_*.deb

# The package on a fresh Debian of this release with a systemd: installed, upgraded while students work, removed, purged. As root.
# ON=trixie: on that release, for which it is built first in a root of it.
ON ?=
NEXT = 99.0-1
PACKAGES = .build/packages

test-package: $(if $(ON),build-packages,deb) packages
	rm -rf $(PACKAGES) && mkdir -p $(PACKAGES)
	$(if $(ON),packaging/deb-on.sh $(ON) $(PACKAGES) '' $(NEXT),cp .build/deb/daybook_*.deb $(PACKAGES) && OUT=$(CURDIR)/.build/deb-next packaging/deb.sh $(NEXT) && cp .build/deb-next/daybook_*.deb $(PACKAGES))
	set -- $(PACKAGES)/daybook_*.deb; \
	    Tests/SystemTests/package.sh $(if $(ON),$(ON),$$(. /etc/os-release; echo $$VERSION_CODENAME)) "$$1" "$$2"

# The package among a directory service, Samba, OpenSSH and editors, and what goes wrong on a server. As root, on Debian 12.
# SET_CLOCK=yes: sets this machine's clock by two seconds and back for the part about that.
SET_CLOCK ?=

test-parts: deb packages
	Tests/SystemTests/parts.sh .build/deb/daybook_*.deb $(if $(SET_CLOCK),--set-clock)

# The units are tested with the programs as they are installed, so these come first.
# The whole programs after their parts, and those with hostile people last and alone: they measure how long others wait for these people,
# not for the rest of the tests.
test: packages build
	python3 -B -m unittest discover --start-directory Tests/Accuracy
	$(SWIFT) test --skip SystemTests
	$(SWIFT) test --filter SystemTests --skip HostileTests
	$(SWIFT) test --filter HostileTests

# The journal's writer is killed so many times.
KILLS ?= 1000
test-kills: packages
	DAYBOOK_KILLS=$(KILLS) $(SWIFT) test --filter KilledWriterTests

SCRIPTS = $(wildcard Demo/*.sh Examples/analyzers/*.sh Tests/Scale/*.sh Tests/SystemTests/box Tests/SystemTests/*.sh Tests/Fuzz/fuzz packaging/*.sh .ci/run)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Examples
	PYTHONPYCACHEPREFIX=.build/pycache python3 -m py_compile Tests/Accuracy/*.py Examples/analyzers/*.py Examples/python/*.py packaging/sbom.py Tests/Scale/*.py Tests/SystemTests/*.py
	$(foreach script,$(SCRIPTS),bash -n $(script) &&) true
	shellcheck --external-sources $(SCRIPTS)

demo: packages build
	Demo/demo.sh $(if $(SHARE),'$(subst ','\'',$(SHARE))')

bench: build-packages
	$(SWIFT) run -c release benchmarks

# Editors, servers and other programs that `make accuracy` drives, and a client of Windows shares from PyPI.
ACCURACY_PACKAGES = tmux vim-nox nano emacs-nox joe micro less gedit mousepad kate libreoffice-writer libreoffice-impress pcmanfm xvfb xdotool \
	dbus-daemon samba smbclient openssh-server openssh-client sshfs rsync file procps util-linux iproute2 inotify-tools python3-venv
SMB_CLIENT = smbprotocol==1.17.0
SMB_PYTHON = .build/third-party/smb

# ARGS: e.g. ARGS='--source inotify vim', or --list.
accuracy: build
	$(call install_packages,$(ACCURACY_PACKAGES))
	@[ -e $(SMB_PYTHON).done ] || { \
	    rm -rf $(SMB_PYTHON) && /usr/bin/python3 -m venv $(SMB_PYTHON) && \
	    { $(SMB_PYTHON)/bin/pip install --quiet --disable-pip-version-check $(SMB_CLIENT) && touch $(SMB_PYTHON).done || \
	      echo 'without $(SMB_CLIENT) the rows with Word and Notepad say "not installed"' >&2; }; }
	$(SUDO) $(SMB_PYTHON)/bin/python Tests/Accuracy/accuracy.py $(ARGS)

# Where things go. analyze-root is the empty root in which documents are opened.
bin = $(DESTDIR)$(PREFIX)/bin
libexec = $(DESTDIR)$(PREFIX)/libexec/daybook
lib = $(DESTDIR)$(PREFIX)/lib
UNITDIR ?= $(PREFIX)/lib/systemd/system
units = $(DESTDIR)$(UNITDIR)
share = $(DESTDIR)$(PREFIX)/share/daybook
root = $(lib)/daybook/analyze-root
doc = $(DESTDIR)$(PREFIX)/share/doc/daybook
man = $(DESTDIR)$(PREFIX)/share/man
# Where bash-completion, zsh and fish of Debian look for what other packages bring.
bash_completions = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh_completions = $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions
fish_completions = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

install:
	@[ -x $(BUILT)/daybookd ] || { echo 'nothing is built yet; run make build first (not as root)' >&2; exit 1; }
	install -d $(bin) $(libexec) $(units) $(lib)/systemd/catalog $(lib)/sysusers.d $(lib)/tmpfiles.d $(lib)/sysctl.d $(doc)
	install -d $(addprefix $(root)/,usr lib lib64 etc/alternatives proc sys dev run tmp var/tmp root home)
	: > $(root)/etc/ld.so.cache
	install -m 755 $(BUILT)/daybook $(bin)/daybook
	install -m 755 $(BUILT)/daybookd $(BUILT)/daybook-analyze $(libexec)
	for unit in daybookd.service daybook-analyze.service; do \
	    sed 's|@libexecdir@|$(PREFIX)/libexec/daybook|; s|@libdir@|$(PREFIX)/lib/daybook|' systemd/$$unit > $(units)/$$unit && \
	    chmod 644 $(units)/$$unit || exit 1; \
	done
	install -m 644 systemd/daybookd.socket systemd/daybook-analyze.socket $(units)
	install -m 644 systemd/catalog/daybook.catalog $(lib)/systemd/catalog
	install -m 644 systemd/sysusers.d/daybook.conf $(lib)/sysusers.d
	install -m 644 systemd/tmpfiles.d/daybook.conf $(lib)/tmpfiles.d
	install -m 644 systemd/sysctl.d/30-daybook.conf $(lib)/sysctl.d
	install -d $(share)/varlink
	install -m 644 Sources/DaybookVarlink/Interfaces/*.varlink $(share)/varlink
	install -d $(doc)/samba
	install -m 644 systemd/samba/daybook.conf $(doc)/samba
	install -d $(doc)/monitoring
	install -m 644 systemd/monitoring/daybook-alerts.yml $(doc)/monitoring
	install -m 644 README.md LICENSE CHANGELOG.md SECURITY.md config.example.toml systemd/daybookd.service.d/fanotify.conf $(doc)
	cp -R Documentation $(doc)
	install -d $(doc)/examples/analyzers
	install -m 755 Examples/analyzers/* $(doc)/examples/analyzers
	install -d $(addprefix $(man)/,man1 man5 man8) $(bash_completions) $(zsh_completions) $(fish_completions)
	$(BUILT)/daybook man daybook > $(man)/man1/daybook.1
	$(BUILT)/daybook man daybook-config --example config.example.toml > $(man)/man5/daybook-config.5
	$(BUILT)/daybook man daybookd > $(man)/man8/daybookd.8
	$(BUILT)/daybook man daybook-analyze > $(man)/man8/daybook-analyze.8
	$(BUILT)/daybook completions bash > $(bash_completions)/daybook
	$(BUILT)/daybook completions zsh > $(zsh_completions)/_daybook
	$(BUILT)/daybook completions fish > $(fish_completions)/daybook.fish
	chmod 644 $(man)/man1/daybook.1 $(man)/man5/daybook-config.5 $(addprefix $(man)/man8/,daybookd.8 daybook-analyze.8) \
	    $(bash_completions)/daybook $(zsh_completions)/_daybook $(fish_completions)/daybook.fish
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || [ ! -d /run/systemd/system ] || { \
	    systemd-sysusers daybook.conf && systemd-tmpfiles --create daybook.conf && journalctl --update-catalog && \
	    systemctl daemon-reload && \
	    echo 'installed, not started. Next: write /etc/daybook/config.toml (example: $(doc)/config.example.toml),' && \
	    echo 'check it with: daybook config check, then: systemctl enable --now daybookd.socket daybookd.service'; }

clean:
	$(SWIFT) package clean
