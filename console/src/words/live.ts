import type { Row } from './words.ts'

export const liveWords = {
  about: [
    'Requests as they end. No key, prompt or reply is in them.',
    '实时显示结束的请求，不含密钥、提示词和回复。',
    '即時顯示結束的請求，不含金鑰、提示詞與回覆。',
  ],
  pause: ['Pause', '暂停', '暫停'],
  resume: ['Go on', '继续', '繼續'],
  clear: ['Clear', '清空', '清空'],
  connected: ['Watching', '观察中', '觀察中'],
  connecting: ['Connecting', '连接中', '連線中'],
  waiting: ['{count} more while paused', '暂停期间新增 {count} 条', '暫停期間新增 {count} 筆'],
  dropped: [
    '{count} were too fast for this page and are left out',
    '{count} 条因速度过快被省略',
    '{count} 筆因速度過快被省略',
  ],
  empty: [
    'No request has ended since this page was opened',
    '页面打开以来没有请求结束',
    '頁面開啟以來沒有請求結束',
  ],
  emptyHint: ['Send one from the playground', '在试验场发送一个', '在試驗場傳送一個'],
  at: ['At', '时间', '時間'],
  operation: ['Operation', '操作', '操作'],
  statusCode: ['Status', '状态码', '狀態碼'],
  duration: ['Duration', '耗时', '耗時'],
  model: ['Model', '模型', '模型'],
  error: ['Error', '错误', '錯誤'],
  request: ['Request', '请求', '請求'],
  filter: ['Contains', '包含', '包含'],
  filterHint: [
    'Operation, model, key or request id',
    '操作、模型、密钥或请求 ID',
    '操作、模型、金鑰或請求 ID',
  ],
  errorsOnly: ['Errors only', '仅错误', '僅錯誤'],
  detail: ['Request in detail', '请求详情', '請求詳情'],
  cost: ['Cost', '费用', '費用'],
} satisfies Record<string, Row>
