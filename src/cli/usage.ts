/** The text of `muster help`. */
export const usage = `muster - identity service

Usage:
  muster init [--output first-start.json] [--org-name Muster] [--admin-user-name admin]
              [--admin-email admin@example.com]
      On an empty database, creates the indexes, an organization, a human administrator, and a
      service user with the role IAM_OWNER and a personal access token. Writes them to the output
      file (mode 0600), or to standard output without one. If an owner exists, does nothing.
  muster start [--processes 1] [--workers 1]
      Runs API processes that share PORT, and workers. Starts a process again when it dies. SIGHUP
      replaces the processes one after another, without a failed request. SIGTERM ends them.
  muster upgrade [--finish]
      Prepares the database for this version while processes of the earlier version keep serving.
      Run it again with --finish when none of them is left: it drops what only they needed.
  muster new-master-key [--id k1]
      Prints a new key for MUSTER_MASTER_KEYS.
  muster reseal
      Seals all stored secrets again with the first of MUSTER_MASTER_KEYS. Prints until when the
      other keys are still needed.
  muster convert auth0 --org ID --users FILE --passwords FILE [--email-verified]
  muster convert keycloak --org ID --realm FILE|FOLDER [--realm FILE]... [--email-verified]
  muster convert cognito|entra|firebase|fusionauth|kratos|okta --org ID --users FILE [--users FILE]...
              [--hash-parameters FILE] [--email-verified] [--strict]
              [--output ./importBody.json] [--timeout 30m] [--multiline] [--skip-invalid]
      Converts the export of another identity provider into the body of an import. For Auth0: users
      and password hashes, one JSON object per line. For Keycloak: a realm, with users and groups.
      For the others: JSON with the users, as docs/guides/migrate.md says for each.
      Lists problems with their lines. If one of them is an error, writes nothing; --skip-invalid
      leaves out the users and groups with errors instead. The exit code is 1 if there were errors.
      Lists what reaches nothing. With --strict nothing is written then.
  muster import FILE [--base-url URL] [--token-file FILE] [--dry-run] [--errors FILE]
      Sends the body of an import and follows the import to its end. After an interruption, the same
      command finds the import again. Otherwise it sends the file again, and users that exist are
      skipped. The address and the token may come from MUSTER_BASE_URL and MUSTER_TOKEN. Prints the
      first errors; --errors writes every error as a line of JSON. The exit code is 1 if a record
      was not imported.
  muster export --output FILE [--org ID]... [--exclude-org ID]... [--with-passwords] [--with-otp]
              [--timeout 30m] [--base-url URL] [--token-file FILE]
  muster export --bucket NAME --path PATH --service-account FILE ...
      Writes all organizations, or the named ones, to a file (mode 0600), to an object of a bucket,
      or to both. The file appears when it is complete. After an interruption, the same command
      finds the export again.
  muster help

Configuration comes from the environment; see docs/configuration.md.`;
