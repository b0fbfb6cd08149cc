import type { Store } from '../../ports/store.ts'
import { ADMIN_REQUESTS } from './admin-requests/admin-requests.ts'
import { ASSET_GROUPS } from './assets/asset-groups.ts'
import { CLAIM_DUE_ASSETS } from './assets/claim-due-assets.ts'
import { CREATE_ASSET } from './assets/create-asset.ts'
import { FIND_ASSET } from './assets/find-asset.ts'
import { LIST_ASSETS } from './assets/list-assets.ts'
import { MOVE_ASSET } from './assets/move-asset.ts'
import { VERIFICATIONS } from './assets/verifications.ts'
import { AUDIT } from './audit/audits.ts'
import { CALLBACKS } from './callbacks/callbacks.ts'
import { OWN_CALLBACKS } from './callbacks/own-callbacks.ts'
import { CLIPS } from './clips/clips.ts'
import { DEMO } from './demo/demo.ts'
import { COUNT_OPEN_WORK } from './deployment/count-open-work.ts'
import { DEPLOYMENT, SECRET_SWITCH } from './deployment/deployment.ts'
import { SECRET_CHANGE } from './deployment/secret-change.ts'
import type { StoreOperation } from './engine.ts'
import { ERASURES } from './erasures/erasures.ts'
import { REVOCATIONS } from './erasures/revocations.ts'
import { VENDOR_REMOVALS } from './erasures/vendor-removals.ts'
import { EVENTS } from './events/events.ts'
import { REPORT_EVENTS } from './events/report-events.ts'
import { KEPT_VALUES } from './kept-values/kept-values.ts'
import { ADD_CREDIT } from './ledger/add-credit.ts'
import { CHECK_LEDGER } from './ledger/check-ledger.ts'
import { END_HOLD } from './ledger/end-hold.ts'
import { EXPIRE_HOLDS } from './ledger/expire-holds.ts'
import { OPEN_HOLD } from './ledger/open-hold.ts'
import { REFUND_TASK } from './ledger/refund-task.ts'
import { SETTLE_HOLD } from './ledger/settle-hold.ts'
import { USER_DAYS } from './ledger/user-days.ts'
import { MODEL_ALIASES } from './models/aliases.ts'
import { APPLY_MODELS } from './models/apply-models.ts'
import { FIND_MODELS } from './models/find-models.ts'
import { OPERATOR_PAGES } from './operator-pages/operator-pages.ts'
import { OPERATOR_SESSIONS } from './operators/operator-sessions.ts'
import { OPERATORS } from './operators/operators.ts'
import { PROVIDERS } from './providers/providers.ts'
import { RECEIPTS } from './receipts/receipts.ts'
import { REQUEST_CLAIMS } from './request-claims/request-claims.ts'
import { VENDOR_IDS } from './request-claims/vendor-ids.ts'
import { LOG_SPANS } from './request-log/log-spans.ts'
import { PAGE_REQUESTS } from './request-log/page-requests.ts'
import { REFUSED_REQUESTS } from './request-log/refused-requests.ts'
import { RETENTION } from './retention/drop-old-rows.ts'
import type { AnyStatement, StatementsOf } from './statement.ts'
import { ACCEPT_TASK } from './tasks/accept-task.ts'
import { BEGIN_TASK } from './tasks/begin-task.ts'
import { CLAIM_DUE_TASKS } from './tasks/claim-due-tasks.ts'
import { DETAILED_TASKS } from './tasks/detailed-tasks.ts'
import { FIND_TASK } from './tasks/find-task.ts'
import { HAND_OVER_TASK } from './tasks/hand-over-task.ts'
import { IDEMPOTENCY_KEYS } from './tasks/idempotency-keys.ts'
import { LIST_TASKS } from './tasks/list-tasks.ts'
import { MOVE_TASK } from './tasks/move-task.ts'
import { SET_ASIDE_TASK } from './tasks/set-aside-task.ts'
import { TASKS_FOR_OPERATOR } from './tasks/tasks-for-operator.ts'
import { API_KEYS } from './tenants/api-keys.ts'
import { BUDGETS, WHY_REFUSED } from './tenants/budgets.ts'
import { DISABLING, DISABLING_USERS } from './tenants/disabling.ts'
import { KEY_BUDGETS } from './tenants/key-budgets.ts'
import { ORGANIZATIONS } from './tenants/organizations.ts'
import { USERS } from './tenants/users.ts'
import { ALLOWANCES } from './usage/allowances.ts'
import { WRITE_USAGE } from './usage/write-usage.ts'
import { CLOSE_DAYS } from './usage-reports/close-days.ts'
import { COUNT_LATE_USAGE } from './usage-reports/count-late-usage.ts'
import { DROP_OLD_USAGE } from './usage-reports/drop-old-usage.ts'
import { FIND_CHARGES } from './usage-reports/find-charges.ts'
import { OVERVIEW } from './usage-reports/overview.ts'
import { SUM_USAGE } from './usage-reports/sum-usage.ts'

export type Ports = Omit<Store, 'ping' | 'close'>

/** All ports with their statements. A missing method or another signature is a type error. */
export const STATEMENTS = {
  organizations: { ...ORGANIZATIONS, ...DISABLING, ...BUDGETS },
  users: { ...USERS, ...DISABLING_USERS },
  apiKeys: { ...API_KEYS, ...KEY_BUDGETS },
  operators: OPERATORS,
  operatorSessions: OPERATOR_SESSIONS,
  adminRequests: ADMIN_REQUESTS,
  operatorPages: OPERATOR_PAGES,
  providers: PROVIDERS,
  models: { ...FIND_MODELS, ...APPLY_MODELS, ...MODEL_ALIASES },
  tasks: {
    ...LIST_TASKS,
    ...DETAILED_TASKS,
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
  callbacks: { ...CALLBACKS, ...OWN_CALLBACKS },
  clips: CLIPS,
  events: { ...EVENTS, ...REPORT_EVENTS },
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
  demo: DEMO,
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
  usage: { ...ALLOWANCES, ...WHY_REFUSED, ...WRITE_USAGE },
  usageReports: {
    ...SUM_USAGE,
    ...OVERVIEW,
    ...FIND_CHARGES,
    ...COUNT_LATE_USAGE,
    ...CLOSE_DAYS,
    ...DROP_OLD_USAGE,
  },
  receipts: RECEIPTS,
  requestLog: { ...PAGE_REQUESTS, ...LOG_SPANS, ...REFUSED_REQUESTS },
  vendorIds: VENDOR_IDS,
  keptValues: KEPT_VALUES,
  requestClaims: REQUEST_CLAIMS,
} satisfies { [Port in keyof Ports]: StatementsOf<Ports[Port]> }

/** Finds the statement of a name such as `tasks.move`. */
export function operationOf(name: string): StoreOperation {
  const operation = OPERATIONS.get(name)
  if (operation === undefined) throw new Error(`The store has no statement ${name}.`)
  return operation
}

const OPERATIONS: ReadonlyMap<string, StoreOperation> = new Map(
  Object.entries(STATEMENTS).flatMap(([port, table]) =>
    Object.entries(table).flatMap(([method, statement]) => namedOf(`${port}.${method}`, statement)),
  ),
)

function namedOf(name: string, { run, first }: AnyStatement): [string, StoreOperation][] {
  const before = first === undefined ? [] : namedOf(firstName(name), first)
  return [...before, [name, { name, run: run as StoreOperation['run'] }]]
}

/** Returns the name of the statement that runs before the named one. */
export function firstName(name: string): string {
  return `${name}.first`
}
