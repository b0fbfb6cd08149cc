import type { Store } from '../../ports/store.ts'
import { ADMIN_REQUESTS } from './admin-requests.ts'
import { API_KEYS } from './api-keys.ts'
import { ASSET_GROUPS } from './asset-groups.ts'
import { CLAIM_DUE_ASSETS } from './assets/claim-due-assets.ts'
import { CREATE_ASSET } from './assets/create-asset.ts'
import { FIND_ASSET } from './assets/find-asset.ts'
import { LIST_ASSETS } from './assets/list-assets.ts'
import { MOVE_ASSET } from './assets/move-asset.ts'
import { AUDIT } from './audits.ts'
import { BUDGETS, SPENT_BUDGETS } from './budgets.ts'
import { CALLBACKS } from './callbacks.ts'
import { COUNT_OPEN_WORK } from './count-open-work.ts'
import { DEPLOYMENT, SECRET_SWITCH } from './deployment.ts'
import { DISABLING, DISABLING_USERS } from './disabling.ts'
import { RETENTION } from './drop-old-rows.ts'
import type { Operation } from './engine.ts'
import { ERASURES } from './erasures.ts'
import { IDEMPOTENCY_KEYS } from './idempotency-keys.ts'
import { KEPT_VALUES } from './kept-values.ts'
import { KEY_BUDGETS } from './key-budgets.ts'
import { ADD_CREDIT } from './ledger/add-credit.ts'
import { CHECK_LEDGER } from './ledger/check-ledger.ts'
import { END_HOLD } from './ledger/end-hold.ts'
import { EXPIRE_HOLDS } from './ledger/expire-holds.ts'
import { AVAILABLE, OPEN_HOLD } from './ledger/open-hold.ts'
import { REFUND_TASK } from './ledger/refund-task.ts'
import { SETTLE_HOLD } from './ledger/settle-hold.ts'
import { APPLY_MODELS } from './models/apply-models.ts'
import { FIND_MODELS } from './models/find-models.ts'
import { OPERATOR_PAGES } from './operator-pages.ts'
import { OPERATOR_SESSIONS } from './operator-sessions.ts'
import { OPERATORS } from './operators.ts'
import { ORGANIZATION_EVENTS } from './organization-events.ts'
import { ORGANIZATIONS } from './organizations.ts'
import { RECEIPTS } from './receipts.ts'
import { REQUEST_CLAIMS } from './request-claims.ts'
import { REVOCATIONS } from './revocations.ts'
import { SECRET_CHANGE } from './secret-change.ts'
import type { AnyStatement, StatementsOf } from './statement.ts'
import { ALLOWANCES } from './usage/allowances.ts'
import { CLOSE_DAYS } from './usage/close-days.ts'
import { COUNT_LATE_USAGE } from './usage/count-late-usage.ts'
import { DROP_OLD_USAGE } from './usage/drop-old-usage.ts'
import { FIND_CHARGES } from './usage/find-charges.ts'
import { OVERVIEW } from './usage/overview.ts'
import { SUM_USAGE } from './usage/sum-usage.ts'
import { WRITE_USAGE } from './usage/write-usage.ts'
import { USER_DAYS } from './user-days.ts'
import { USERS } from './users.ts'
import { VENDOR_IDS } from './vendor-ids.ts'
import { VENDOR_REMOVALS } from './vendor-removals.ts'
import { VERIFICATIONS } from './verifications.ts'
import { ACCEPT_TASK } from './video-tasks/accept-task.ts'
import { BEGIN_TASK } from './video-tasks/begin-task.ts'
import { CLAIM_DUE_TASKS } from './video-tasks/claim-due-tasks.ts'
import { FIND_TASK } from './video-tasks/find-task.ts'
import { HAND_OVER_TASK } from './video-tasks/hand-over-task.ts'
import { LIST_TASKS } from './video-tasks/list-tasks.ts'
import { MOVE_TASK } from './video-tasks/move-task.ts'
import { SET_ASIDE_TASK } from './video-tasks/set-aside-task.ts'
import { TASKS_FOR_OPERATOR } from './video-tasks/tasks-for-operator.ts'

/** The ports of a store that are tables of statements. */
export type Ports = Omit<Store, 'ping' | 'close'>

/** Every port, with the tables of its statements. A method without a statement, or with another signature, is a type error. */
export const STATEMENTS = {
  organizations: { ...ORGANIZATIONS, ...DISABLING, ...BUDGETS },
  users: { ...USERS, ...DISABLING_USERS },
  apiKeys: { ...API_KEYS, ...KEY_BUDGETS },
  operators: OPERATORS,
  operatorSessions: OPERATOR_SESSIONS,
  adminRequests: ADMIN_REQUESTS,
  operatorPages: OPERATOR_PAGES,
  models: { ...FIND_MODELS, ...APPLY_MODELS },
  tasks: {
    ...LIST_TASKS,
    ...FIND_TASK,
    ...TASKS_FOR_OPERATOR,
    ...IDEMPOTENCY_KEYS,
    ...BEGIN_TASK,
    ...ACCEPT_TASK,
    ...HAND_OVER_TASK,
    ...MOVE_TASK,
    ...CLAIM_DUE_TASKS,
    ...SET_ASIDE_TASK,
  },
  callbacks: CALLBACKS,
  organizationEvents: ORGANIZATION_EVENTS,
  assets: {
    ...CREATE_ASSET,
    ...FIND_ASSET,
    ...LIST_ASSETS,
    ...MOVE_ASSET,
    ...CLAIM_DUE_ASSETS,
    ...ASSET_GROUPS,
  },
  verifications: VERIFICATIONS,
  erasures: { ...ERASURES, ...REVOCATIONS, ...VENDOR_REMOVALS },
  retention: RETENTION,
  deployment: { ...DEPLOYMENT, ...COUNT_OPEN_WORK },
  secretChange: { ...SECRET_SWITCH, ...SECRET_CHANGE },
  audit: AUDIT,
  ledger: {
    ...OPEN_HOLD,
    ...SETTLE_HOLD,
    ...END_HOLD,
    ...EXPIRE_HOLDS,
    ...ADD_CREDIT,
    ...REFUND_TASK,
    ...CHECK_LEDGER,
    ...USER_DAYS,
  },
  usage: { ...ALLOWANCES, ...SPENT_BUDGETS, ...AVAILABLE, ...WRITE_USAGE },
  usageReports: {
    ...SUM_USAGE,
    ...OVERVIEW,
    ...FIND_CHARGES,
    ...COUNT_LATE_USAGE,
    ...CLOSE_DAYS,
    ...DROP_OLD_USAGE,
  },
  receipts: RECEIPTS,
  vendorIds: VENDOR_IDS,
  keptValues: KEPT_VALUES,
  requestClaims: REQUEST_CLAIMS,
} satisfies { [Port in keyof Ports]: StatementsOf<Ports[Port]> }

/** The statement of a name such as `tasks.move`. */
export function operationOf(name: string): Operation {
  const operation = OPERATIONS.get(name)
  if (operation === undefined) throw new Error(`The store has no statement ${name}.`)
  return operation
}

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(STATEMENTS).flatMap(([port, table]) =>
    Object.entries(table).flatMap(([method, statement]) => namedOf(`${port}.${method}`, statement)),
  ),
)

function namedOf(name: string, { run, first }: AnyStatement): [string, Operation][] {
  const before = first === undefined ? [] : namedOf(firstName(name), first)
  return [...before, [name, { name, run: run as Operation['run'] }]]
}

/** A statement that is tried before the one of this name. */
export function firstName(name: string): string {
  return `${name}.first`
}
