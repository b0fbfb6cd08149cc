import { expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const CREATED = '2026-01-02T03:04:05.000Z'
const RUNNING = {
  id: 'task_1',
  organization_id: 'org_1',
  user_id: 'usr_1',
  key_id: 'key_1',
  model: 'vendorA/gen-2.0',
  provider: 'vendorA',
  served_by: 'vendorA/gen-2.0',
  status: 'running',
  upstream_id: 'cgt-1',
  created_at: CREATED,
  updated_at: '2026-01-02T03:04:09.000Z',
  completed_at: null,
  deleted_at: null,
  deadline: '2026-01-04T03:04:05.000Z',
  age_seconds: 65,
  error: null,
  estimate_micros: 762_300,
  held_micros: 762_300,
  charged_micros: null,
  refunded_micros: 0,
  callback: 'after-end',
  set_aside_at: null,
  withheld_at: null,
}
const FAILED = {
  ...RUNNING,
  id: 'task_2',
  model: 'vendorB/gen-v4-std',
  provider: 'vendorB',
  served_by: 'vendorB/gen-v4-std',
  status: 'failed',
  upstream_id: null,
  completed_at: '2026-01-02T03:04:10.000Z',
  age_seconds: 5,
  error: { code: 'upstream_error', message: 'It \x1b[31mbroke.' },
  held_micros: 0,
  charged_micros: 0,
  callback: 'given-up',
  set_aside_at: null,
  withheld_at: null,
}
const ATTEMPTS = [
  { task_id: 'task_2', attempt: 1, at: '2026-01-02T03:04:10.000Z', status: null, error: 'timeout' },
  { task_id: 'task_2', attempt: 2, at: '2026-01-02T03:04:11.000Z', status: 404, error: null },
]
const TASK_TABLE = [
  'ID      STATUS   CREATED                   AGE        MODEL               ORGANIZATION  HELD        CHARGED   CALLBACK   ERROR           UPSTREAM ID',
  'task_1  running  2026-01-02T03:04:05.000Z  1 min 5 s  vendorA/gen-2.0     org_1         0.7623 USD  -         after-end  -               cgt-1',
  'task_2  failed   2026-01-02T03:04:05.000Z  5 s        vendorB/gen-v4-std  org_1         0.00 USD    0.00 USD  given-up   upstream_error  -',
]
const ATTEMPT_TABLE = [
  'TASK    ATTEMPT  AT                        STATUS     ERROR',
  'task_2  1        2026-01-02T03:04:10.000Z  no answer  timeout',
  'task_2  2        2026-01-02T03:04:11.000Z  404        -',
]

const STORIES: { line: string[]; asks: unknown; json: unknown; text: string[] }[] = [
  {
    line: ['task', 'list'],
    asks: ['listTasks', { organizationId: undefined, limit: 20 }],
    json: [RUNNING, FAILED],
    text: TASK_TABLE,
  },
  {
    line: ['task', 'list', '--org', 'org_2', '--limit', '5'],
    asks: ['listTasks', { organizationId: 'org_2', limit: 5 }],
    json: [],
    text: ['No task yet. Clients make them with POST /v1/video/generations.'],
  },
  {
    line: ['task', 'show', 'task_1'],
    asks: ['showTask', 'task_1'],
    json: RUNNING,
    text: [
      'Task           task_1',
      'Status         running',
      'Model          vendorA/gen-2.0',
      'Upstream id    cgt-1',
      'Organization   org_1',
      'User           usr_1',
      'Key            key_1',
      `Created        ${CREATED}`,
      'Last heard of  2026-01-02T03:04:09.000Z',
      'Age            1 min 5 s',
      'Deadline       2026-01-04T03:04:05.000Z',
      'Money          0.7623 USD held',
      'Callback       sent when the task ends',
    ],
  },
  {
    line: ['task', 'show', 'task_2', '--watch'],
    asks: ['showTask', 'task_2'],
    json: FAILED,
    text: [
      'Task           task_2',
      'Status         failed',
      'Error          upstream_error: It [31mbroke.',
      'Model          vendorB/gen-v4-std',
      'Upstream id    -',
      'Organization   org_1',
      'User           usr_1',
      'Key            key_1',
      `Created        ${CREATED}`,
      'Last heard of  2026-01-02T03:04:09.000Z',
      'Ended          2026-01-02T03:04:10.000Z',
      'Took           5 s',
      'Money          0.00 USD charged, of 0.7623 USD that were held',
      'Callback       given up; "sluice callback list" shows why, "sluice callback resend" tries again',
    ],
  },
  {
    line: ['task', 'resume', 'task_1'],
    asks: ['resumeTask', 'task_1'],
    json: { id: 'task_1', set_aside_at: null },
    text: [
      'task_1 is due again: a running server asks its vendor within seconds.',
      'Next: sluice task show task_1',
    ],
  },
  {
    line: ['task', 'show', 'task_3'],
    asks: ['showTask', 'task_3'],
    json: {
      ...FAILED,
      id: 'task_3',
      status: 'succeeded',
      upstream_id: 'cgt-3',
      error: null,
      charged_micros: 540_000,
      refunded_micros: 250_000,
      callback: 'delivered',
    },
    text: [
      'Task           task_3',
      'Status         succeeded',
      'Model          vendorB/gen-v4-std',
      'Upstream id    cgt-3',
      'Organization   org_1',
      'User           usr_1',
      'Key            key_1',
      `Created        ${CREATED}`,
      'Last heard of  2026-01-02T03:04:09.000Z',
      'Ended          2026-01-02T03:04:10.000Z',
      'Took           5 s',
      'Money          0.54 USD charged, of 0.7623 USD that were held',
      'Refunded       0.25 USD',
      'Callback       delivered',
    ],
  },
  {
    line: ['callback', 'list'],
    asks: ['listCallbacks', { taskId: undefined, limit: 100 }],
    json: ATTEMPTS,
    text: ATTEMPT_TABLE,
  },
  {
    line: ['callback', 'list', '--task', 'task_1', '--limit', '7'],
    asks: ['listCallbacks', { taskId: 'task_1', limit: 7 }],
    json: [],
    text: ['No callback of task_1 was tried yet. "sluice task show task_1" says whether it has one.'],
  },
  {
    line: ['callback', 'resend', 'task_2'],
    asks: ['resendCallback', 'task_2'],
    json: { task_id: 'task_2', callback: 'pending' },
    text: [
      'The callback of task_2 is due again: a running server sends it within seconds.',
      'Next: sluice callback list --task task_2',
    ],
  },
]

test.each(STORIES)('$line, for people', async ({ line, asks, text }) => {
  const { services, calls } = fakeServices()
  expect(await run(line, services)).toEqual({ exitCode: 0, result: `${text.join('\n')}\n`, notice: '' })
  expect(calls).toEqual(['open', asks, 'close'])
})

test.each(STORIES)('$line --json prints one value and nothing else', async ({ line, json }) => {
  const { services } = fakeServices()
  const { exitCode, result, notice } = await run([...line, '--json'], services)
  expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
  expect(JSON.parse(result)).toEqual(json)
})

test('an unknown task is reported, also with --watch', async () => {
  const { services, calls } = fakeServices()
  const missing = await run(['task', 'show', 'task_9', '--watch'], services)
  expect(missing).toEqual({ exitCode: 1, result: '', notice: 'There is no task task_9.\n' })
  expect(calls.at(-1)).toBe('close')
})
