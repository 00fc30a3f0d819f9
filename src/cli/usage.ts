/** What `muster help` says. */
export const usage = `muster - identity service

Usage:
  muster init [--output first-start.json] [--org-name Muster] [--admin-user-name admin]
              [--admin-email admin@example.com]
      On an empty database makes the indexes, an organization, a human administrator and a
      service user with the role IAM_OWNER and a personal access token. What was made is written
      to the output file (mode 0600) or, without one, to standard output. Otherwise does nothing.
  muster start [--processes 1] [--workers 1]
      Runs API processes that share PORT, and workers, and starts anew the one that dies. SIGHUP
      replaces them one after another, without a failed request; SIGTERM closes them.
  muster upgrade [--finish]
      Makes the database ready for this version, while processes of the earlier one serve on. Again
      with --finish when none of them is left: then it drops what only they needed.
  muster new-master-key [--id k1]
      Prints a new key for MUSTER_MASTER_KEYS.
  muster reseal
      Seals anew, with the first of MUSTER_MASTER_KEYS, what lies in the database sealed with
      another one, and says until when the others are needed still.
  muster convert auth0 --org ID --users FILE --passwords FILE [--email-verified]
  muster convert keycloak --org ID --realm FILE [--email-verified]
              [--output ./importBody.json] [--timeout 30m] [--multiline] [--skip-invalid]
      Makes the body of an import of what another identity provider exported: users and password hashes of
      Auth0, a JSON object a line each, or a realm of Keycloak. Problems are listed with their lines; with
      errors among them nothing is written, unless --skip-invalid leaves out the users that have them.
      The exit code is 1 when there were errors.
  muster import FILE [--base-url URL] [--token-file FILE] [--dry-run] [--errors FILE]
      Sends the body of an import and follows it to its end. The same command finds the import again after
      it was broken off, or sends the file again, which skips what is there. The address and the token may
      stand in MUSTER_BASE_URL and MUSTER_TOKEN. The first errors are shown; --errors keeps each as a line of
      JSON. The exit code is 1 when something was not imported.
  muster export --output FILE [--org ID]... [--exclude-org ID]... [--with-passwords] [--with-otp]
              [--timeout 30m] [--base-url URL] [--token-file FILE]
  muster export --bucket NAME --path PATH --service-account FILE ...
      Writes organizations, all or those named, to a file (mode 0600), or to an object of a bucket, or to
      both. The file is there when it is complete; the same command finds an export again that was broken off.
  muster help

Configuration is read from the environment; see docs/configuration.md.`;
