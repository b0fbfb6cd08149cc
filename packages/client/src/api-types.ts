// Written by "npm run docs" from the OpenAPI document.

/** Objects of the API, by their names in `/openapi.json`. */
export interface ApiTypes {
  Asset: {
    /** Id of the asset. A create request names the asset as `asset://<id>`. */
    id: string
    object: "video.asset"
    /** The label of the asset; absent without one. */
    name?: string
    asset_type: "Image" | "Video" | "Audio"
    /** The group of a verified person; absent for other assets. */
    group_id?: string
    /** Only an `active` asset can be used. */
    status: "processing" | "active" | "failed"
    /** A signed link to the processed media, valid about 12 hours; present only when `active`. */
    url?: string
    /** The reason; present only when `failed`. */
    error?: { 'code': string; 'message': string }
    created_at: string
    updated_at: string
  }
  AssetSummary: {
    /** Id of the asset. A create request names the asset as `asset://<id>`. */
    id: string
    /** The label of the asset; absent without one. */
    name?: string
    asset_type: "Image" | "Video" | "Audio"
    /** The group of a verified person; absent for other assets. */
    group_id?: string
    /** Only an `active` asset can be used. */
    status: "processing" | "active" | "failed"
    /** A signed link to the processed media, valid about 12 hours; present only when `active`. */
    url?: string
    /** The reason; present only when `failed`. */
    error?: { 'code': string; 'message': string }
    created_at: string
    updated_at: string
  }
  Balance: {
    object: "balance"
    organization_id: string
    billing: "prepaid" | "postpaid"
    /** The balance, including money that is held. Below zero, a postpaid organization owes the amount. */
    balance_micros: number
    /** Money that is set aside for work that has not ended. */
    held_micros: number
    /** The balance minus the held money. */
    available_micros: number
  }
  CreateAssetReply: {
    /** Id of the asset. A create request names the asset as `asset://<id>`. */
    id: string
    object: "video.asset"
    status: "processing"
  }
  CreateAssetRequest: {
    /** A public HTTPS link to the media itself. */
    url: string
    asset_type: "Image" | "Video" | "Audio"
    /** For a portrait: the group of the verified person. Left out: the default group. */
    group_id?: (string | null)
    /** A label of the asset. */
    name?: (string | null)
  }
  CreateQuoteRequest: {
    /** A video model of `GET /v1/models`. */
    model: string
    /** Items without their text or url are dropped, and do not count. */
    content: (({ 'type': "text"; 'text': string; 'role'?: (string | null) } | { 'type': "image_url"; 'image_url': { 'url': string }; 'role'?: (string | null); 'tag'?: (string | null); 'time_stamp'?: (number | null) } | { 'type': "video_url"; 'video_url': { 'url': string }; 'role'?: (string | null); 'tag'?: (string | null); 'time_stamp'?: (number | null) } | { 'type': "audio_url"; 'audio_url': { 'url': string }; 'role'?: (string | null); 'tag'?: (string | null); 'time_stamp'?: (number | null) }))[]
    /** Only for family B. Left out: found from the content: `text-to-video`, `image-to-video`, `omni-video`; for gen-v3 `reference`, `extension`, `cutshot`, `restyling`. */
    task_type?: (string | null)
    /** Length in seconds. It is not used for restyling, which makes a video as long as the given one. */
    duration?: (number | null)
    ratio?: "16:9" | "9:16" | "1:1" | null
    /** A resolution such as `720p` or `1080p`. */
    resolution?: (string | null)
    seed?: (number | null)
    framespersecond?: (number | null)
    /** Whether the video has sound. `true` is refused for `vendorB/gen-v4-fast`. */
    generate_audio?: (boolean | null)
    draft?: (boolean | null)
    service_tier?: (string | null)
    /** Family A: whether the video is marked visibly as generated. Where the operator leaves this to the vendor, or decides it, the field has no effect and `x-sluice-ignored` names it. */
    watermark?: (boolean | null)
    /** Family A: `content.last_frame_url` of the finished task is a link to its last picture. */
    return_last_frame?: (boolean | null)
    /** An HTTPS address to which the task is posted when it has ended. It is never shown. */
    callback_url?: (string | null)
    /** Seconds until the task fails when it has not ended. The operator may have set a minimum; less is refused. */
    execution_expires_after?: (number | null)
    /** Anything; every later answer shows it as it was sent. At most 16384 bytes of JSON and 256 members, which are counted over all levels, together with the elements of lists. */
    metadata?: (Record<string, unknown> | Record<string, unknown>)
  }
  CreateSessionReply: {
    object: "video.asset_session"
    status: "pending"
    /** The link works once, for about 30 minutes. */
    h5_link: string
  }
  CreateSessionRequest: {
    /** HTTPS. The person's browser is sent here after the scan, with the result in the query. At most 4096 characters, as browsers spell it. */
    callback_url: string
    /** The language of the page that the person sees. */
    lang?: "zh" | "en" | "zh-Hant" | null
  }
  CreateTaskReply: {
    /** The `task_id` of the other calls. */
    id: string
    object: "video.generation.task"
    /** Unix seconds. */
    created: number
    model: string
    /** A task whose status is one of the last three has ended, and its status never changes. */
    status: "queued" | "running" | "succeeded" | "failed" | "cancelled"
    /** The metadata of the create call, else an empty object. */
    metadata: Record<string, unknown>
    /** Unix seconds; present once the task has ended. */
    completed_at?: number
    /** The files that the vendor made; present only when the task succeeded. */
    content?: { 'video_url'?: string; 'last_frame_url'?: string; 'withheld'?: string }
    /** The reason; present only when the task failed. */
    error?: { 'code': string; 'message': string; 'type': "video_generation_error"; 'param': (string | null) }
  }
  CreateTaskRequest: {
    /** A video model of `GET /v1/models`. */
    model: string
    /** Items without their text or url are dropped, and do not count. */
    content: (({ 'type': "text"; 'text': string; 'role'?: (string | null) } | { 'type': "image_url"; 'image_url': { 'url': string }; 'role'?: (string | null); 'tag'?: (string | null); 'time_stamp'?: (number | null) } | { 'type': "video_url"; 'video_url': { 'url': string }; 'role'?: (string | null); 'tag'?: (string | null); 'time_stamp'?: (number | null) } | { 'type': "audio_url"; 'audio_url': { 'url': string }; 'role'?: (string | null); 'tag'?: (string | null); 'time_stamp'?: (number | null) }))[]
    /** Only for family B. Left out: found from the content: `text-to-video`, `image-to-video`, `omni-video`; for gen-v3 `reference`, `extension`, `cutshot`, `restyling`. */
    task_type?: (string | null)
    /** Length in seconds. It is not used for restyling, which makes a video as long as the given one. */
    duration?: (number | null)
    ratio?: "16:9" | "9:16" | "1:1" | null
    /** A resolution such as `720p` or `1080p`. */
    resolution?: (string | null)
    seed?: (number | null)
    framespersecond?: (number | null)
    /** Whether the video has sound. `true` is refused for `vendorB/gen-v4-fast`. */
    generate_audio?: (boolean | null)
    draft?: (boolean | null)
    service_tier?: (string | null)
    /** Family A: whether the video is marked visibly as generated. Where the operator leaves this to the vendor, or decides it, the field has no effect and `x-sluice-ignored` names it. */
    watermark?: (boolean | null)
    /** Family A: `content.last_frame_url` of the finished task is a link to its last picture. */
    return_last_frame?: (boolean | null)
    /** An HTTPS address to which the task is posted when it has ended. It is never shown. */
    callback_url?: (string | null)
    /** Seconds until the task fails when it has not ended. The operator may have set a minimum; less is refused. */
    execution_expires_after?: (number | null)
    /** A quote from `POST /v1/video/quotes` for this order: the task never costs more than was quoted. Only `metadata` and `callback_url` may differ from the body that was quoted. It can be used once, within 15 minutes. */
    quote_id?: (string | null)
    /** Anything; every later answer shows it as it was sent. At most 16384 bytes of JSON and 256 members, which are counted over all levels, together with the elements of lists. */
    metadata?: (Record<string, unknown> | Record<string, unknown>)
  }
  DeleteTaskReply: {
    id: string
    object: "video.generation.task"
    deleted: true
  }
  Event: ({ 'type': "balance.low"; 'timestamp': string; 'data': { 'organization_id': string; 'balance_micros': number; 'threshold_micros': number } } | { 'type': "balance.empty"; 'timestamp': string; 'data': { 'organization_id': string; 'balance_micros': number } } | { 'type': "budget.warning"; 'timestamp': string; 'data': { 'organization_id': string; 'month': string; 'used_micros': number; 'budget_micros': number } } | { 'type': "budget.reached"; 'timestamp': string; 'data': { 'organization_id': string; 'month': string; 'used_micros': number; 'budget_micros': number } } | { 'type': "key.expiring"; 'timestamp': string; 'data': { 'organization_id': string; 'key_id': string; 'name': string; 'expires_at': string } } | { 'type': "callback.given_up"; 'timestamp': string; 'data': { 'organization_id': string; 'task_id': string; 'callback_id': string } } | { 'type': "task.set_aside"; 'timestamp': string; 'data': { 'organization_id': string; 'task_id': string } } | { 'type': "provider.down"; 'timestamp': string; 'data': { 'provider': string } } | { 'type': "provider.up"; 'timestamp': string; 'data': { 'provider': string; 'down_since': string } } | { 'type': "ledger.broken"; 'timestamp': string; 'data': { 'rows': number; 'first': string } } | { 'type': "store.nearly_full"; 'timestamp': string; 'data': { 'free_bytes': number; 'total_bytes': number } } | { 'type': "person.revoked"; 'timestamp': string; 'data': { 'organization_id': string; 'group_id': string; 'revoked_at': string } } | { 'type': "event.test"; 'timestamp': string; 'data': { 'test': true } })
  ListAssetsReply: {
    object: "list"
    items: (ApiTypes['AssetSummary'])[]
    /** The number of assets on all pages. */
    total_count: number
    page_number: number
    /** The limit that was applied. */
    page_size: number
  }
  ListModelsReply: {
    object: "list"
    data: (ApiTypes['Model'])[]
    has_more: false
    first_id: (string | null)
    last_id: (string | null)
  }
  ListTasksReply: {
    object: "list"
    data: (ApiTypes['TaskSummary'])[]
    has_more: boolean
    /** The cursor of the next page; empty on the last page. */
    next_cursor: string
  }
  Model: {
    /** `<provider>/<model_name>`, or an alias. */
    id: string
    /** The `id` of the model that the alias stands for. */
    alias_of?: string
    object: "model"
    type: "model"
    /** Unix seconds */
    created: number
    created_at: string
    /** The provider. */
    owned_by: string
    display_name: string
    /** The kind of reply that the model gives. */
    kind: "text" | "video" | "embedding"
    /** Tokens that the model can read and write in one request. Absent when not known. */
    context_tokens?: number
    /** The prices of the model. When several rows apply, the one with most attributes counts. */
    prices: ({ 'unit': "video_token" | "second" | "input_token" | "cached_input_token" | "cache_write_token" | "long_cache_write_token" | "output_token" | "web_search_call" | "file_search_call" | "image_generation_call" | "code_session" | "priority_tier" | "fast_speed" | "flex_tier" | "regional_inference" | "long_context_input" | "long_context_output"; 'resolution': (string | null); 'video_input': (boolean | null); 'audio': (boolean | null); 'usd'?: number; 'usd_per_million'?: number; 'times'?: number })[]
  }
  Provenance: {
    task_id: string
    /** Hash of the file in lower-case hex. */
    sha256: string
    bytes: number
    media_type: string
    duration_ms: (number | null)
    width: (number | null)
    height: (number | null)
    watermark: (boolean | null)
    marks: ({ 'c2pa': { 'state': "none" | "valid" | "invalid"; 'issuer': (string | null) }; 'aigc': (Record<string, unknown> | null) } | null)
    kept_until: (string | null)
    entry: ApiTypes['Receipt']
  }
  Quote: {
    object: "video.quote"
    /** Id for one create call of the same organization. */
    quote_id: string
    /** Unix time in seconds: 15 minutes from now. */
    expires_at: number
    /** The body as it was read, with the defaults that the price is computed with. */
    order: Record<string, unknown>
    /** The estimated price in millionths of a US dollar. */
    price_micros: number
    /** The maximum charge, which a create call sets aside. */
    max_micros: number
    parts: ({ 'unit': "second" | "video_token"; 'quantity': number; 'usd': number; 'micros': number })[]
  }
  Receipt: {
    /** The receipt itself: JSON, as base64url. */
    payload: string
    /** JSON, as base64url: `alg` is `EdDSA`, and `kid` names the key. */
    protected: string
    /** Ed25519 signature of the text `protected` + `.` + `payload`, as base64url. */
    signature: string
  }
  ReceiptKeysReply: {
    keys: ({ 'kty': "OKP"; 'crv': "Ed25519"; 'x': string; 'kid': string; 'use': "sig"; 'alg': "EdDSA" })[]
  }
  Task: {
    /** The `task_id` of the other calls. */
    id: string
    object: "video.generation.task"
    /** Unix seconds. */
    created: number
    model: string
    /** A task whose status is one of the last three has ended, and its status never changes. */
    status: "queued" | "running" | "succeeded" | "failed" | "cancelled"
    /** The metadata of the create call, else an empty object. */
    metadata: Record<string, unknown>
    /** Unix seconds; present once the vendor has reported the task after the create call. */
    updated_at?: number
    /** Unix seconds; present once the task has ended. */
    completed_at?: number
    /** The files that the vendor made; present only when the task succeeded. */
    content?: { 'video_url'?: string; 'last_frame_url'?: string; 'withheld'?: string }
    /** The reason; present only when the task failed. */
    error?: { 'code': string; 'message': string; 'type': "video_generation_error"; 'param': (string | null) }
  }
  TaskSummary: {
    id: string
    object: "video.generation.task"
    /** Unix seconds */
    created: number
    model: string
    status: "queued" | "running" | "succeeded" | "failed" | "cancelled"
    /** Unix seconds; present once the task has ended */
    completed_at?: number
  }
  Usage: {
    object: "list"
    data: (ApiTypes['UsageSum'])[]
    has_more: boolean
    /** The cursor of the next page; empty on the last page. */
    next_cursor: string
  }
  UsageSum: {
    /** The day in UTC, such as `2026-11-01`. Only with `by=day`. */
    day?: string
    /** The beginning of the hour, such as `2026-11-01T05:00:00Z`. Only with `by=hour`. */
    hour?: string
    organization_id?: string
    user_id?: string
    key_id?: string
    /** The model that served the requests. */
    model?: string
    requests: number
    /** The number of requests that failed. */
    errors: number
    input_tokens: number
    cached_input_tokens: number
    cache_write_tokens: number
    output_tokens: number
    video_seconds: number
    /** The cost in millionths of a US dollar, minus the refunds of this time. */
    cost_micros: number
    /** The share of all input tokens that the vendor read from its cache: 0 to 1. */
    cached_input_share: number
  }
  VideoError: {
    error: { 'message': string; 'type': string; 'param': (string | null); 'code': "invalid_json" | "missing_parameter" | "quote_not_found" | "quote_expired" | "quote_mismatch" | "invalid_parameter" | "previous_response_not_found" | "unsupported_combination" | "invalid_cursor" | "content_policy_violation" | "context_length_exceeded" | "reply_too_large" | "summary_not_usable" | "task_not_deletable" | "asset_not_usable" | "group_id_error" | "malformed_request" | "invalid_api_key" | "forbidden" | "insufficient_balance" | "organization_disabled" | "user_disabled" | "model_not_allowed" | "model_not_found" | "task_not_found" | "asset_not_found" | "not_found" | "method_not_allowed" | "request_timeout" | "idempotency_key_in_use" | "provider_from_file" | "provider_name_in_use" | "provider_in_use" | "content_not_ready" | "clip_not_kept" | "receipt_not_ready" | "idempotency_reply_gone" | "content_gone" | "receipt_gone" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "idempotency_key_reused" | "upgrade_required" | "rate_limit_exceeded" | "daily_limit_exceeded" | "budget_exceeded" | "funds_in_use" | "upstream_busy" | "headers_too_large" | "internal_error" | "upstream_error" | "provider_not_configured" | "provider_unavailable" | "model_not_priced" | "store_unavailable" | "billing_unavailable" | "overloaded" | "upstream_overloaded" }
  }
}
