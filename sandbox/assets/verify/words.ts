import type { OfferedEnding } from './endings.ts'
import type { ClosedLink } from './find-session.ts'
import type { Language } from './languages.ts'

export interface PageTexts {
  title: string
  sandbox: string
  languages: string
  intro: string
  pretence: string
  tips: readonly string[]
  personQuestion: string
  person: string
  endingQuestion: string
  endings: Readonly<Record<OfferedEnding, string>>
  start: string
  once: string
  progress: string
  steps: readonly string[]
  cancel: string
  results: Readonly<Record<OfferedEnding, string>>
  closed: Readonly<Record<ClosedLink, { title: string; text: string }>>
}

export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = {
  zh: {
    title: '真人认证',
    sandbox: '沙盒',
    languages: '语言',
    intro: '正式环境中，摄像头会确认手机前是一位真实的人。',
    pretence: '这里是沙盒，只作演示：不会打开摄像头，也不会记录任何内容。',
    tips: ['将手机举至与眼睛齐平。', '在光线均匀处，摘下口罩和墨镜。', '让面部保持在圆环内。'],
    personQuestion: '手机前是谁？',
    person: '人物',
    endingQuestion: '认证应如何结束？',
    endings: {
      success: '认证成功',
      mismatch: '人脸不匹配',
      cancelled: '用户取消',
      'pre-recorded': '用录像代替真人',
    },
    start: '开始认证',
    once: '此链接 30 分钟内有效，仅可使用一次。',
    progress: '认证进度',
    steps: ['请正视屏幕。', '请眨眼。', '请缓慢转头。', '正在核对…'],
    cancel: '取消',
    results: {
      success: '认证成功，正在返回…',
      mismatch: '人脸不匹配，正在返回…',
      cancelled: '已取消，正在返回…',
      'pre-recorded': '检测到录像，正在返回…',
    },
    closed: {
      unknown: { title: '链接无效', text: '请检查链接是否完整，或重新获取一个链接。' },
      expired: { title: '链接已过期', text: '链接在 30 分钟内有效。请返回应用，重新获取一个链接。' },
      used: { title: '链接已使用', text: '每个链接只能使用一次。请返回应用，需要时重新获取一个链接。' },
    },
  },
  en: {
    title: 'Face check',
    sandbox: 'Sandbox',
    languages: 'Languages',
    intro: 'In the real check, the camera confirms that a living person is in front of the phone.',
    pretence: 'This is the sandbox, which only pretends: the camera stays off and nothing is recorded.',
    tips: [
      'Hold the phone at eye level.',
      'Find even light, and take off a mask or sunglasses.',
      'Keep your face inside the ring.',
    ],
    personQuestion: 'Who is it?',
    person: 'Person',
    endingQuestion: 'How shall it end?',
    endings: {
      success: 'Success',
      mismatch: 'The face does not match',
      cancelled: 'Cancelled',
      'pre-recorded': 'A recording, not a live face',
    },
    start: 'Start the check',
    once: 'This link works once, within 30 minutes.',
    progress: 'Progress of the check',
    steps: ['Look straight ahead.', 'Blink.', 'Turn your head slowly.', 'Comparing…'],
    cancel: 'Cancel',
    results: {
      success: 'Verified. Taking you back…',
      mismatch: 'The face does not match. Taking you back…',
      cancelled: 'Cancelled. Taking you back…',
      'pre-recorded': 'This was a recording. Taking you back…',
    },
    closed: {
      unknown: { title: 'This link is not valid', text: 'Check that it is complete, or ask for a new one.' },
      expired: {
        title: 'This link has expired',
        text: 'A link works for 30 minutes. Go back to your app and ask for a new one.',
      },
      used: {
        title: 'This link has been used',
        text: 'A link works once. Go back to your app, and ask for a new one if you need it.',
      },
    },
  },
  'zh-Hant': {
    title: '真人驗證',
    sandbox: '沙盒',
    languages: '語言',
    intro: '正式環境中，相機會確認手機前是一位真實的人。',
    pretence: '這裡是沙盒，只作示範：不會開啟相機，也不會記錄任何內容。',
    tips: ['將手機舉至與眼睛齊平。', '在光線均勻處，摘下口罩和墨鏡。', '讓臉部保持在圓環內。'],
    personQuestion: '手機前是誰？',
    person: '人物',
    endingQuestion: '驗證應如何結束？',
    endings: {
      success: '驗證成功',
      mismatch: '人臉不相符',
      cancelled: '使用者取消',
      'pre-recorded': '以錄影代替真人',
    },
    start: '開始驗證',
    once: '此連結 30 分鐘內有效，僅可使用一次。',
    progress: '驗證進度',
    steps: ['請正視螢幕。', '請眨眼。', '請緩慢轉頭。', '正在比對…'],
    cancel: '取消',
    results: {
      success: '驗證成功，正在返回…',
      mismatch: '人臉不相符，正在返回…',
      cancelled: '已取消，正在返回…',
      'pre-recorded': '偵測到錄影，正在返回…',
    },
    closed: {
      unknown: { title: '連結無效', text: '請檢查連結是否完整，或重新取得一個連結。' },
      expired: { title: '連結已過期', text: '連結在 30 分鐘內有效。請返回應用程式，重新取得一個連結。' },
      used: { title: '連結已使用', text: '每個連結只能使用一次。請返回應用程式，需要時重新取得一個連結。' },
    },
  },
}
