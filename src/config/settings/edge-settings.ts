import { inGroup } from './in-group.ts'
import { oneOf } from './kinds/text.ts'

export const EDGE_SETTINGS = inGroup('listening', {
  REQUIRE_VERSION_HEADER: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    meaning:
      'Whether `/v1/messages` refuses requests without `anthropic-version` and `compat-version`. `off`: the version is `2023-06-01` then.',
  },
  MCP: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    meaning: 'Whether agents are served at `/mcp` by the Model Context Protocol.',
  },
  FAST_DOOR: {
    kind: oneOf(['on', 'off']),
    default: 'on',
    meaning:
      "Whether a strict parser in front of Node's server reads plain requests of hot operations, which costs less CPU.",
  },
})
