import type { Caller } from '../domain/access/api-key.ts'
import type { Organization } from '../domain/access/organization.ts'
import type { OfferedModel } from '../domain/catalog/model.ts'
import type { VideoModel } from '../domain/video/families/families.ts'
import type { Installation } from '../ports/installation.ts'
import type { Authenticate } from './access/authenticate.ts'
import type { ProveGateway } from './access/gateway-proof.ts'
import type { FindOperator } from './access/operator-accounts.ts'
import type { OperatorSessions } from './access/operator-sessions.ts'
import type { SignInByOpenId } from './access/sign-in-by-openid.ts'
import type { CreateAsset } from './assets/create-asset.ts'
import type { GetAsset } from './assets/get-asset.ts'
import type { ListAssets } from './assets/list-assets.ts'
import type { OwnCallbacks } from './callbacks/own-callbacks.ts'
import type { Readiness } from './check-readiness.ts'
import type { By } from './draft-audit.ts'
import type { OncePerKey } from './idempotency/once-per-key.ts'
import type { CheckRate } from './limits/rate/check-rate.ts'
import type { QuotaSync } from './limits/sync/invalidations.ts'
import type { LiveRequests } from './live-requests.ts'
import type { PlaceUpload } from './media/place-upload.ts'
import type { FindProvenance, GetProvenance } from './media/provenance.ts'
import type { GatewayOperator } from './operator.ts'
import type { GetTaskReceipt, GetTextReceipt } from './receipts/get-receipts.ts'
import type { ListReceiptKeys } from './receipts/signing-keys.ts'
import type { ReadHeavyEmbeddings } from './text/contract/embeddings-body.ts'
import type { ReadHeavyBody } from './text/contract/heavy-body.ts'
import type { AnswerText } from './text/contract/text-command.ts'
import type { CountTokens } from './text/count-tokens.ts'
import type { CreateEmbeddings } from './text/create-embeddings.ts'
import type { ReadReplies } from './text/kept/read-replies.ts'
import type { SumUsage } from './usage/sum-usage.ts'
import type { ReturnFromVerification } from './verification/return-from-verification.ts'
import type { Consents } from './verification/revoke-consent.ts'
import type { StartVerification } from './verification/start-verification.ts'
import type { CreateTask } from './video/create-task.ts'
import type { DeleteTask } from './video/delete-task.ts'
import type { FindContent } from './video/find-content.ts'
import type { GetTask } from './video/get-task.ts'
import type { ListTasks } from './video/list-tasks.ts'
import type { TakeNotice } from './video/notice-queue.ts'
import type { QuoteTask } from './video/quote-task.ts'
import type { TaskDetailsUseCases } from './video/task-details.ts'

/** Use cases of the HTTP edge, composed in `src/compose/`. */
export interface App extends ReadReplies, TaskDetailsUseCases, OwnCallbacks {
  authenticate: Authenticate
  checkRate: CheckRate
  findOperator: FindOperator
  /** undefined: there is no admin API, and no console. */
  sessions: OperatorSessions | undefined
  /** undefined: no OpenID provider is configured. */
  openId: SignInByOpenId | undefined
  oncePerKey: OncePerKey
  listenToRequests: LiveRequests['listen']
  /** Returns an operator's use cases, whose audit rows name `by` as the actor. */
  operatorFor(by: By): GatewayOperator
  installation: Installation
  findContent: FindContent
  checkReadiness(): Promise<Readiness>
  proveGateway: ProveGateway
  /** Returns the models that the caller's key may use, without a promise while the catalog is cached. */
  listModels(caller: Caller): readonly OfferedModel[] | Promise<readonly OfferedModel[]>
  findVideoModel(name: string, organizationId: string): VideoModel | undefined
  answerText: AnswerText
  countTokens: CountTokens
  createEmbeddings: CreateEmbeddings
  readHeavyBody: ReadHeavyBody
  readHeavyEmbeddings: ReadHeavyEmbeddings
  createTask: CreateTask
  /** undefined: no files are kept. */
  placeUpload: PlaceUpload | undefined
  quoteTask: QuoteTask
  getTask: GetTask
  listTasks: ListTasks
  deleteTask: DeleteTask
  getTaskReceipt: GetTaskReceipt
  getTextReceipt: GetTextReceipt
  getProvenance: GetProvenance
  /** undefined: visitors may not look up files. */
  findProvenance: FindProvenance | undefined
  listReceiptKeys: ListReceiptKeys
  sumUsage: SumUsage
  /** Rejects with `ApiError('not_found')` when the organization is gone. */
  showBalance(organizationId: string): Promise<Organization>
  createAsset: CreateAsset
  getAsset: GetAsset
  listAssets: ListAssets
  startVerification: StartVerification
  returnFromVerification: ReturnFromVerification
  consents: Consents
  /** Whether the gateway or a vendor may fetch an HTTPS URL, judged by its text alone. */
  isAllowedUrl(url: string): boolean
  /** Whether this deployment made the token of a notice. The check needs no query. */
  isNoticeToken(token: string | undefined): boolean
  /** undefined: no public address is configured, so vendors cannot send notices. */
  takeNotice: TakeNotice | undefined
  /** undefined: the process has no quota service. */
  quotaSync: QuotaSync | undefined
}
