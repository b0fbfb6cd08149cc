import { ApiError } from '../../domain/api-error.ts'
import type { PageQuery } from '../../ports/page-query.ts'
import type { Store } from '../../ports/store.ts'
import type { Engine } from './engine.ts'
import { isFiltered } from './page-of.ts'
import type { ReadArgs, ReadName } from './run-operation.ts'

/** The port in the engine's words: one line per method. */
export function storeOn(bareEngine: Engine): Store {
  const engine = finishBeforeClose(bareEngine)
  /** A page that is narrowed by more than its organization may look at many rows. */
  const page = <Name extends ReadName>(name: Name, query: ReadArgs<Name> & PageQuery) =>
    isFiltered(query) ? engine.readLong(name, query) : engine.read(name, query)
  return {
    organizations: {
      create: (organization, audit) => engine.write('createOrganization', { organization, audit }),
      list: () => engine.read('listOrganizations', {}),
      page: (query) => page('pageOrganizations', query),
      find: (id) => engine.read('findOrganization', { id }),
      findWebhookSecrets: (id) => engine.read('findWebhookSecrets', { id }),
      rotateWebhookSecret: (change, audit) => engine.write('rotateWebhookSecret', { change, audit }),
      update: (change, audit) => engine.write('updateOrganization', { change, audit }),
      setDisabled: (change, audit) => engine.write('setOrganizationDisabled', { change, audit }),
      setBudget: (change, audit) => engine.write('setBudget', { change, audit }),
      findBudget: (query) => engine.read('findBudget', query),
      claimBudgetWarnings: (pass) => engine.write('claimBudgetWarnings', pass),
      listOverBudget: (query) => engine.read('listOverBudget', query),
      findDisabled: (owners) => engine.read('findDisabled', owners),
      createFirst: (first, audit) => engine.write('createFirst', { first, audit }),
    },
    users: {
      create: (user, audit) => engine.write('createUser', { user, audit }),
      list: (organizationId) => engine.read('listUsers', { organizationId }),
      page: (query) => engine.read('pageUsers', query),
      find: (id) => engine.read('findUser', { id }),
      setLimit: (change, audit) => engine.write('setUserLimit', { change, audit }),
      setDisabled: (change, audit) => engine.write('setUserDisabled', { change, audit }),
    },
    apiKeys: {
      create: (apiKey, audit) => engine.write('createApiKey', { apiKey, audit }),
      list: (organizationId) => engine.read('listApiKeys', { organizationId }),
      page: (query) => engine.read('pageApiKeys', query),
      revoke: (change, audit) => engine.write('revokeApiKey', { change, audit }),
      find: (id) => engine.read('findApiKey', { id }),
      setBudget: (change, audit) => engine.write('setKeyBudget', { change, audit }),
      findBudget: (query) => engine.read('findKeyBudget', query),
      rotate: (rotation, audit) => engine.write('rotateApiKey', { rotation, audit }),
      findCaller: (digest) => engine.read('findCaller', { digest }),
    },
    operators: {
      create: (account, audit) => engine.write('createOperator', { account, audit }),
      list: (query) => engine.read('listOperators', query),
      revoke: (change, audit) => engine.write('revokeOperator', { change, audit }),
      findByToken: (digest) => engine.read('findOperatorByToken', { digest }),
    },
    operatorSessions: {
      open: (opened, audit) => engine.write('openOperatorSession', { opened, audit }),
      find: (digest) => engine.read('findOperatorSession', { digest }),
      renew: (renewed) => engine.write('renewOperatorSession', renewed),
      end: (digest) => engine.write('endOperatorSession', { digest }),
      keepLink: (link) => engine.write('keepSignInLink', link),
      useLink: (used) => engine.write('useSignInLink', used),
      async dropExpired(pass) {
        await engine.write('dropExpired', { ...pass, table: 'operator_sessions' })
        await engine.write('dropExpired', { ...pass, table: 'sign_in_links' })
      },
    },
    adminRequests: {
      claim: (claim) =>
        engine.write(claim.others === undefined ? 'claimAdminRequest' : 'claimAdminRequestAmong', claim),
      finish: (end) => engine.write('finishAdminRequest', end),
      free: (id) => engine.write('freeAdminRequest', { id }),
      dropExpired: (pass) => engine.write('dropExpired', { ...pass, table: 'admin_requests' }),
    },
    operatorPages: {
      entries: (query) => page('pageEntries', query),
      findEntry: (query) => engine.read('findEntry', query),
      entriesOfTask: (taskId) => engine.read('listEntriesOfTask', { taskId }),
      snapshotsOfTask: (taskId) => engine.read('listSnapshotsOfTask', { taskId }),
      assets: (query) => page('pageAssets', query),
      groups: (query) => page('pageGroups', query),
      verifications: (query) => page('pageVerifications', query),
      attempts: (query) =>
        query.state === undefined
          ? engine.read('pageAttempts', query)
          : engine.readLong('pageAttempts', query),
    },
    models: {
      list: () => engine.read('listModels', {}),
      find: (modelId) => engine.read('findModel', { modelId }),
      fillWhenEmpty: (models) => engine.write('fillModelsWhenEmpty', { models }),
      apply: (changes, audit) => engine.write('applyModels', { changes, audit }),
    },
    tasks: {
      list: (query) => engine.read('listTasks', query),
      find: (query) => engine.read('findTask', query),
      findWhole: (id) => engine.read('findWholeTask', { id }),
      findForOperator: (id) => engine.read('findTaskForOperator', { id }),
      listForOperator: (query) => page('listTasksForOperator', query),
      findByNotice: (tokenDigest) => engine.read('findTaskByNotice', { tokenDigest }),
      findReplay: (query) => engine.read('findReplay', query),
      begin: (work) => engine.write('beginTask', work),
      accept: (answer) => engine.write('acceptTask', answer),
      handOver: (change) => engine.write('handOverTask', change),
      startAttempt: (start) => engine.write('startTaskAttempt', start),
      findRequest: (id) => engine.read('findTaskRequest', { id }),
      listAttempts: (taskId) => engine.read('listTaskAttempts', { taskId }),
      forget: (refused) => engine.write('forgetTask', refused),
      move: async (move) =>
        (await engine.write('refreshTask', move)) ?? (await engine.write('moveTask', move)),
      claimDue: (claim) => engine.write('claimDueTasks', claim),
      bringForward: (far) => engine.write('bringTasksForward', far),
      setAside: (task) => engine.write('setAsideTask', task),
      putOffNext: (claim) => engine.write('putOffNextTask', claim),
      resume: (task, audit) => engine.write('resumeTask', { ...task, audit }),
      countSetAside: () => engine.read('countTasksSetAside', undefined),
      reschedule: (nexts) => engine.write('rescheduleTasks', nexts),
      remove: (query) => engine.write('removeTask', query),
      dropExpiredKeys: (pass) => engine.write('dropExpired', { ...pass, table: 'idempotency_keys' }),
    },
    callbacks: {
      claimDue: (claim) => engine.write('claimDueCallbacks', claim),
      bringForward: (far) => engine.write('bringCallbacksForward', far),
      recordAttempt: (record) => engine.write('recordAttempt', record),
      giveBack: (unsent) => engine.write('giveBackCallback', unsent),
      listAttempts: (query) => engine.read('listAttempts', query),
      resend: (callback, audit) => engine.write('resendCallback', { ...callback, audit }),
    },
    organizationEvents: {
      claimDue: (claim) => engine.write('claimDueEvents', claim),
      bringForward: (far) => engine.write('bringEventsForward', far),
      recordAttempt: (record) => engine.write('recordEventAttempt', record),
      giveBack: (unsent) => engine.write('giveBackEvent', unsent),
    },
    assets: {
      create: (asset, copyAt) => engine.write('createAsset', { asset, copyAt }),
      find: (query) => engine.read('findAsset', query),
      findAll: (query) => engine.read('findAssets', query),
      list: async (query) =>
        (await engine.read('listAssets', query)) ?? (await engine.readLong('searchAssets', query)),
      move: async (move) =>
        (await engine.write('refreshAsset', move)) ?? (await engine.write('moveAsset', move)),
      claimDue: (claim) => engine.write('claimDueAssets', claim),
      bringForward: (far) => engine.write('bringAssetsForward', far),
      reschedule: (next) => engine.write('rescheduleAsset', next),
      findGroup: (query) => engine.read('findGroup', query),
      findDefaultGroup: (query) => engine.read('findDefaultGroup', query),
      claimDefaultGroup: (claim) => engine.write('claimDefaultGroup', claim),
      releaseDefaultGroup: (claim) => engine.write('releaseDefaultGroup', claim),
      setDefaultGroup: (group) => engine.write('setDefaultGroup', group),
      bindPerson: (group, by) => engine.write('bindPerson', { group, by }),
    },
    verifications: {
      create: (verification) => engine.write('createVerification', verification),
      find: (stateDigest) => engine.read('findVerification', { stateDigest }),
      claimExchange: (claim) => engine.write('claimExchange', claim),
      releaseExchange: (claim) => engine.write('releaseExchange', claim),
      finish: (end) => engine.write('finishVerification', end),
      dropOld: (pass) => engine.write('dropOldVerifications', pass),
    },
    erasures: {
      findPerson: (group) => engine.read('findPerson', group),
      listGroups: (organizationId) => engine.read('listGroups', { organizationId }),
      eraseGroup: (group, audit, removers) => engine.write('eraseGroup', { group, audit, removers }),
      findConsent: (groupId) => engine.read('findConsent', { groupId }),
      revokeConsent: (revocation) => engine.write('revokeConsent', revocation),
      claimRemovals: (claim) => engine.write('claimRemovals', claim),
      finishRemoval: (removal) => engine.write('finishRemoval', removal),
      postponeRemoval: (removal) => engine.write('postponeRemoval', removal),
      eraseOrganization: (erasure) => engine.write('eraseOrganizationNames', erasure),
      eraseUser: (erasure) => engine.write('eraseUserName', erasure),
    },
    retention: {
      dropTasks: (pass) => engine.write('dropOldTasks', pass),
      dropContentLinks: (pass) => engine.write('dropOldContentLinks', pass),
      dropAudits: (pass) => engine.write('dropOldAudits', pass),
    },
    deployment: {
      findSecretState: () => engine.read('findSecretState', {}),
      keepSecretCheck: (kept) => engine.write('keepSecretCheck', kept),
      probe: (probe) => engine.write('probeDeployment', probe),
    },
    secretChange: {
      switch: (change, audit) => engine.write('switchSecret', { ...change, audit }),
      end: (change, audit) => engine.write('endSecretChange', { ...change, audit }),
      listEncrypted: (window) => engine.read('listEncrypted', window),
      replaceEncrypted: (batch) => engine.write('replaceEncrypted', batch),
      replaceDigest: (change) => engine.write('replaceDigest', change),
      countNeeds: (question) => engine.report('countSecretNeeds', question),
    },
    audit: {
      add: (audit) => engine.write('insertAudit', audit),
      list: (query) => page('listAudits', query),
    },
    ledger: {
      hold: (hold) => engine.write('openHold', hold),
      settle: (end) => engine.write('settleHold', end),
      release: (end) => engine.write('releaseHold', end),
      expire: (pass) => engine.write('expireHolds', pass),
      addCredit: (credit, audit) => engine.write('addCredit', { credit, audit }),
      refund: (refund, audit) => engine.write('refundTask', { refund, audit }),
      listRefundMoves: (query) => engine.read('listRefundMoves', query),
      check: async (question) => (await engine.report('checkLedger', question)).violations,
      checkWithin: (question) => engine.report('checkLedger', question),
      countUnmeasured: () => engine.report('countUnmeasured', {}),
      readDay: (day) => engine.read('readDay', day),
    },
    usage: {
      lease: (lease) => engine.write('leaseAllowance', lease),
      isBudgetSpent: (question) => engine.read('isBudgetSpent', question),
      availableMicros: (organizationId) => engine.read('findAvailable', organizationId),
      renew: (renewal) => engine.write('renewAllowances', renewal),
      giveBack: (part) => engine.write('giveBackAllowance', part),
      write: (group) => engine.write('writeUsage', group),
    },
    usageReports: {
      sum: (query) => engine.readLong('sumUsage', query),
      readPeriod: (period) => engine.readLong('readPeriod', period),
      findText: (id) => engine.read('findTextCharge', { id }),
      findRowsFrom: () => engine.read('findUsageRowsFrom', {}),
      findVideo: (taskId) => engine.read('findVideoCharge', { taskId }),
      listText: (page) => engine.readLong('listTextCharges', page),
      listVideo: (page) => engine.readLong('listVideoCharges', page),
      countLate: (pass) => engine.write('countLateUsage', pass),
      closeDay: (pass) => engine.write('closeDay', pass),
      dropOld: (pass) => engine.write('dropOldUsage', pass),
    },
    receipts: {
      find: (id) => engine.read('findReceipt', { id }),
      findOfRequest: (requestId) => engine.read('findReceiptOfRequest', { requestId }),
      findTask: (id) => engine.read('findReceiptTask', { id }),
      listOwing: (query) => engine.read('listOwingReceipts', query),
      listRevocations: (query) => engine.read('listUnchainedRevocations', query),
      findHead: (organizationId) => engine.read('findChainHead', { organizationId }),
      add: (receipt) => engine.write('addReceipt', receipt),
      listKeys: () => engine.read('listReceiptKeys', {}),
      addFirstKey: (key) => engine.write('addFirstReceiptKey', key),
      replaceKey: (key, audit) => engine.write('replaceReceiptKey', { key, audit }),
    },
    vendorIds: {
      keep: (kept) => engine.write('keepVendorIds', kept),
      find: (query) => engine.read('findVendorIds', query),
      dropExpired: (pass) => engine.write('dropExpired', { ...pass, table: 'vendor_ids' }),
    },
    keptValues: {
      find: (query) => engine.read('findKeptValue', query),
      keep: (kept) => engine.write('keepValue', kept),
      remove: (key) => engine.write('removeKeptValue', { key }),
      removeShare: (name) => engine.write('removeKeptShare', { name }),
      dropExpired: (pass) => engine.write('dropExpired', { ...pass, table: 'kept_values' }),
    },
    requestClaims: {
      claim: (claim) =>
        engine.write(claim.others === undefined ? 'claimRequest' : 'claimRequestAmong', claim),
      renew: (renewal) => engine.write('renewClaims', renewal),
      free: (id) => engine.write('freeClaim', { id }),
      dropExpired: (pass) => engine.write('dropExpired', { ...pass, table: 'request_claims' }),
    },
    countOpenWork: (at) => engine.read('countOpenWork', at),
    ping: () => engine.ping(),
    close: () => engine.close(),
  }
}

/** Once it is being closed an engine takes nothing new, and what it has taken is finished first. */
function finishBeforeClose(engine: Engine): Engine {
  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  function start<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (closing !== undefined) return Promise.reject(closed())
    const result = operation()
    const forget = () => running.delete(result)
    running.add(result)
    result.then(forget, forget)
    return result
  }

  async function finish(): Promise<void> {
    await Promise.allSettled(running)
    await engine.close()
  }

  return {
    read: (name, args) => start(() => engine.read(name, args)),
    readLong: (name, args) => start(() => engine.readLong(name, args)),
    write: (name, args) => start(() => engine.write(name, args)),
    report: (name, args) => start(() => engine.report(name, args)),
    ping: () => start(() => engine.ping()),
    close: () => {
      closing ??= finish()
      return closing
    },
  }
}

function closed(): ApiError {
  return new ApiError('store_unavailable', { cause: new Error('the store is closed') })
}
