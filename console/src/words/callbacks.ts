import type { Row } from './words.ts'

export const callbackWords = {
  about: [
    'Every attempt to tell a client that a task has ended.',
    '每次向客户端通知任务结束的尝试。',
    '每次向用戶端通知任務結束的嘗試。',
  ],
  task: ['Task', '任务', '任務'],
  host: ['Receiver', '接收方', '接收方'],
  attempt: ['Attempt', '次数', '次數'],
  at: ['At', '时间', '時間'],
  answer: ['Answer', '应答', '回應'],
  error: ['Error', '错误', '錯誤'],
  noAnswer: ['no answer', '无应答', '無回應'],
  empty: ['No attempts match', '没有匹配的尝试', '沒有符合的嘗試'],
  emptyHint: [
    'A task made with a callback_url is told here when it ends.',
    '带 callback_url 的任务结束后会显示在此。',
    '帶 callback_url 的任務結束後會顯示於此。',
  ],
  resend: ['Resend', '重发', '重送'],
  resendAll: ['Resend all given up', '重发所有已放弃的', '重送所有已放棄的'],
  resendAllAbout: [
    'Callbacks on this list that were given up: {count}. Each keeps its id and gets three more attempts.',
    '此列表中已放弃的回调：{count}。ID 不变，各再尝试三次。',
    '此清單中已放棄的回呼：{count}。ID 不變，各再嘗試三次。',
  ],
  sent: ['{done} of {count} resent', '已重发 {done} / {count}', '已重送 {done} / {count}'],
  state: ['Callback', '回调', '回呼'],
  send: ['Send a test', '发送测试', '傳送測試'],
  sendAbout: [
    'One made-up callback, signed with the secret of the customer. Its attempts are not on the list.',
    '发送一次虚构回调，用客户的密钥签名，不会出现在列表中。',
    '傳送一次虛構回呼，以客戶的密鑰簽章，不會出現在清單中。',
  ],
  url: ['Address (HTTPS)', '地址（HTTPS）', '位址（HTTPS）'],
  resent: ['The callback of {id} is due again.', '{id} 的回调已重新排队。', '{id} 的回呼已重新排入佇列。'],
  secretHint: [
    'Rotate the signing secret on the page of its customer.',
    '在客户页面更换签名密钥。',
    '在客戶頁面更換簽章密鑰。',
  ],
} satisfies Record<string, Row>
