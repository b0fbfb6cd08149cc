import type { Row } from './words.ts'

export const assetWords = {
  about: [
    'Media that clients registered, and what became of them.',
    '客户端登记的素材及其状态。',
    '用戶端登記的素材及其狀態。',
  ],
  empty: ['No assets match', '没有匹配的素材', '沒有符合的素材'],
  emptyHint: [
    'Clients register media with POST /v1/video/assets.',
    '客户端通过 POST /v1/video/assets 登记素材。',
    '用戶端透過 POST /v1/video/assets 登記素材。',
  ],
  detail: ['Asset', '素材', '素材'],
  type: ['Type', '类型', '類型'],
  group: ['Group', '分组', '分組'],
  person: ['Person', '人物', '人物'],
  defaultGroup: ['Default', '默认', '預設'],
  provider: ['Provider', '供应商', '供應商'],
  ticket: ["Vendor's id", '供应商 ID', '供應商 ID'],
  created: ['Created', '创建', '建立'],
  updated: ['Changed', '更新', '更新'],
  noPreview: ['No preview', '无预览', '無預覽'],
  use: ['Use it in a request as', '在请求中引用', '在請求中引用'],
  why: ['What went wrong', '失败原因', '失敗原因'],
} satisfies Record<string, Row>
