let help = """
    usage: netwatch [--host H]… [--json] [--once] [--probe URL]

    Shows how this machine reaches the Internet, and each change from the kernel's word, without polling. On a
    terminal it is a table that is redrawn in place; elsewhere each change is a line, written at once, with the
    fields: time host mode interface localAddress vpn reason.

      --host H     the way to a host instead: a name, an address or a URL; once for each host
      --json       one JSON object a line
      --once       only the present state
      --probe URL  watch the Internet, and ask whether it really answers: the URL shall give status 204, as
                   pages made for this do; without it no packet is sent, and reachable means that there is a way
      --help, -h   this text

    JSON: time is in UTC (RFC 3339). host is null for the Internet. mode is wired, wifi, cellular, other or none.
    vpn and reachable are true or false. interface, localAddress and reason are null where there is none. metered
    is yes, no, unknown, guess-yes or guess-no. generation grows with each new network. reason is no-link,
    no-address, no-route, prohibited, name-not-resolved, portal or refused (the system does not let us look, so
    nothing is known), or no-answer from the page that --probe names.

    Colours are for terminals, and not where NO_COLOR is set.

    Exit codes: with --once 0 when all is reachable, 1 when not; 2 wrong usage; 3 the output can't be written.
    Without --once it runs until a signal ends it (130 in the shell after Ctrl-C), or its reader leaves.

    """
