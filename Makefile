SHELL := /bin/bash
export MUSTER_DATA_DIR ?= .muster
NODE := node --import=tsx --conditions=muster-source

.DEFAULT_GOAL := help
.PHONY: help run sample test test-slow test-replica-set test-lts lint audit format docs bench bench-keycloak bench-faults bench-hostile soak image pin-images down install build

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: install build ## Start the stores and the service; Ctrl-C stops both
	@exec $(NODE) dev/run.ts

sample: install ## Start a sample web page that signs in at the instance of make run
	@exec $(NODE) dev/sample-client.ts

test: install ## Check and test everything
	@$(NODE) dev/test.ts

test-slow: install ## Run the slow tests (some need Python, Java or Go), all looks of the pages, more odd requests, make test-replica-set and make test-lts
	@$(NODE) dev/test.ts slow
	@MUSTER_LOOKS=all $(NODE) dev/test.ts browser
	@FUZZ_ROUNDS=30 TEST_SECONDS=1200 $(NODE) dev/test.ts test/integration/http/openapi-fuzz.test.ts
	@FUZZ_ROUNDS=500 TEST_SECONDS=1200 $(NODE) dev/test.ts test/integration/scim/fuzz.test.ts
	@$(MAKE) --no-print-directory test-replica-set
	@$(MAKE) --no-print-directory test-lts

# In a data folder of its own, because the other tests use the local database as a mongos.
test-replica-set: install ## Test stores and routes with the local database as a replica set
	@export MUSTER_DATA_DIR="$(MUSTER_DATA_DIR)/replica-set" GATEWAY_REPLICA_SET=rs0; \
	$(NODE) dev/test.ts contract integration; code=$$?; $(NODE) dev/services.ts down; exit $$code

test-lts: install ## Test the service on both LTS versions of Node.js that get security fixes
	@$(NODE) dev/test-lts.ts

lint: install ## Check types, style, dependency directions, licences, vulnerabilities, Kubernetes objects, images, generated documents
	@$(NODE) dev/lint.ts

format: install ## Format the sources
	@npx biome check --write .

audit: install ## Look for known vulnerabilities of shipped packages, by the registry or without it
	@$(NODE) dev/check-vulnerabilities.ts

docs: install ## Generate the documents
	@$(NODE) dev/generate-docs.ts

bench: install build ## Measure against other programs (ONLY=growth: some areas); writes bench/results.md
	@$(NODE) bench/main.ts $(if $(ONLY),--only $(ONLY),--new)

bench-keycloak: install build ## Measure beside Keycloak, which needs Java and Maven; writes bench/keycloak-results.md
	@$(NODE) bench/keycloak.ts

bench-faults: install build ## Kill processes and stores during imports of 100,000 users
	@MUSTER_FAULT_USERS=$${MUSTER_FAULT_USERS:-100000} TEST_JOBS=1 TEST_SECONDS=7200 \
		$(NODE) dev/test.ts test/e2e/import-crash.test.ts \
		test/slow/import-crash-api.test.ts test/slow/import-crash-small.test.ts test/slow/import-faults.test.ts

bench-hostile: install build ## Attack two API processes behind nginx, and measure what another organization feels
	@$(NODE) bench/hostile.ts

soak: install build ## Run mixed load for SOAK_MINUTES (10) with a fault every minute, then check the stored data
	@$(NODE) bench/soak.ts

image: ## Build the container image
	docker build -t muster:local .

pin-images: install ## Write the digests of the container images into the files that name them
	@$(NODE) dev/pin-images.ts

down: ## Stop the local services that were left running
	@if [ -d node_modules ]; then $(NODE) dev/services.ts down; fi

install: node_modules/.muster-installed

# Installs exactly the packages of package-lock.json. Optional packages of other platforms may be absent. If the prebuilt
# form of a native module does not load, npm compiles it with the headers of the installed node. It downloads no headers.
node_modules/.muster-installed: package.json package-lock.json
	@at=$$(dirname "$$(dirname "$$(readlink -f "$$(command -v node)")")"); \
	if [ -f "$$at/include/node/node_api.h" ]; then export npm_config_nodedir="$$at"; fi; \
	npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

build: install
	@$(NODE) dev/bundle.ts
