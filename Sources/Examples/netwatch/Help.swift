let help = """
    usage: netwatch [--host H]… [--json] [--once] [--probe URL]

    Shows how this machine reaches the Internet or hosts, and each change as soon as the kernel knows of it.
    On a terminal it is a table that is redrawn in place; elsewhere it is one line for each change, written at
    once, with the fields time, host, mode, interface, local address, vpn and reason, “-” for what there is not.

      --host H     the way to a host instead of the Internet: a name, an address or a URL; may be repeated
      --json       one JSON object a line, also on a terminal
      --once       the present state and no more
      --probe URL  also ask a web server whether the Internet really answers: the http URL shall give status 204
                   (No Content). Then the Internet is watched besides all hosts, and is not reachable while that
                   server does not answer. Without it no packet is sent but to look up names.
      --help, -h   this text

    The JSON object has these keys, in this order:
      time          when it was learnt, in UTC (RFC 3339)
      host          in its normal form; null for the Internet
      mode          wired, wifi, cellular, other (such as a tunnel), or none when not reachable
      reachable     true or false
      vpn           true when the way begins with a tunnel, else false
      interface     such as eth0, or null
      localAddress  of new connections, or null
      metered       yes, no, unknown, guess-yes or guess-no
      reason        null when reachable, else one of no-link, no-address, no-route, prohibited, name-not-resolved,
                    portal (a login page is in the way), no-answer (from the server of --probe), or refused (the
                    system does not let netwatch look: nothing is known)
      generation    a number that grows with each other network

    Colours are for terminals only, and not for those where NO_COLOR is set.

    Exit codes: 2 wrong usage; 3 the output can't be written. With --once, 0 when all targets are reachable and
    1 when not. Without it netwatch runs until a signal ends it (Ctrl-C: the shell says 130) or its reader
    leaves (141).

    """
