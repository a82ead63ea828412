"""`python -m arc_format` is the command `arc-format`."""

import sys

from arc_format.command.main import main

sys.exit(main())
