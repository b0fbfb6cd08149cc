import { describe, expect, it } from 'vitest'
import { json } from '../../../domain/json/json-schema.ts'
import type { Operation } from '../../operation.ts'
import { writeExamples } from './write-examples.ts'

const OPEN: Operation = {
  id: 'look',
  method: 'GET',
  path: '/look',
  area: 'video',
  access: 'open',
  summary: 'Look',
  replies: {},
  handle: () => () => {},
}

const SCHEMA = json.object({
  model: json.string({ examples: ["vendorA/gen-2.0's"] }),
  content: json.array(json.object({ type: json.literal('text'), text: json.string() })),
  seconds: json.integer({ minimum: 4 }),
  draft: json.boolean(),
  'x-why': json.anything(),
  seed: json.optional(json.integer()),
})

describe('writeExamples', () => {
  it('is one call for an open path', () => {
    expect(writeExamples(OPEN)).toEqual({
      curl: 'curl "$SLUICE_URL/look"',
      typescript: [
        'const { SLUICE_URL } = process.env',
        `const response = await fetch(\`\${SLUICE_URL}/look\`)`,
        'console.log(response.status, await response.json())',
      ].join('\n'),
      python: `import json, os, urllib.request

url = os.environ["SLUICE_URL"]
request = urllib.request.Request(
    f"{url}/look",
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
    })
  })

  it('has the key and the parameters of the path', () => {
    const operation: Operation = { ...OPEN, method: 'DELETE', path: '/admin/v1/users/:id', access: 'admin' }
    const { curl, typescript, python } = writeExamples(operation)
    expect(curl).toBe(
      'ID=usr_019a2b3c\ncurl -X DELETE "$SLUICE_URL/admin/v1/users/$ID" \\\n  -H "X-Admin-Key: $SLUICE_ADMIN_KEY"',
    )
    expect(typescript).toContain(
      `const id = 'usr_019a2b3c'\nconst response = await fetch(\`\${SLUICE_URL}/admin/v1/users/\${id}\`, {\n  method: 'DELETE',\n  headers: { 'X-Admin-Key': SLUICE_ADMIN_KEY },\n})`,
    )
    expect(python).toContain(
      'id = "usr_019a2b3c"\nrequest = urllib.request.Request(\n    f"{url}/admin/v1/users/{id}",\n    method="DELETE",\n    headers={"X-Admin-Key": key},\n)',
    )
  })

  it('uses an id from the reply to an earlier call', () => {
    const list: Operation = { ...OPEN, access: 'api-key', path: '/v1/video/generations' }
    const operation: Operation = {
      ...list,
      path: '/v1/video/generations/:task_id',
      example: { earlier: { operation: list, query: '?limit=1', take: ['data', 0, 'id'] } },
    }
    const { curl, typescript, python } = writeExamples(operation)
    expect(curl).toContain('TASK_ID=$(curl -s "$SLUICE_URL/v1/video/generations?limit=1" ')
    expect(curl).toContain('curl "$SLUICE_URL/v1/video/generations/$TASK_ID"')
    expect(typescript).toContain('const taskId = (await earlier.json()).data[0].id')
    expect(typescript).toContain(`/v1/video/generations/\${taskId}\``)
    expect(python).toContain('    task_id = json.load(response)["data"][0]["id"]')
    expect(python).toContain('f"{url}/v1/video/generations/{task_id}"')
  })

  it('has the smallest valid body, with the examples of the schema', () => {
    const { curl, typescript, python } = writeExamples({
      ...OPEN,
      method: 'POST',
      body: { schema: SCHEMA, limitBytes: 1 },
    })
    expect(curl).toContain(`-d '{\n    "model": "vendorA/gen-2.0'\\''s",\n    "content": [`)
    expect(typescript).toContain(`  body: JSON.stringify({
    model: 'vendorA/gen-2.0\\'s',
    content: [{ type: 'text', text: '...' }],
    seconds: 4,
    draft: true,
    'x-why': null,
  }),`)
    expect(python).toContain(`    data=json.dumps({
        "model": "vendorA/gen-2.0's",
        "content": [{"type": "text", "text": "..."}],
        "seconds": 4,
        "draft": True,
        "x-why": None,
    }).encode(),`)
  })
})
