import type { Language } from '../../../domain/assets/verification-request.ts'

/** Reason for which the browser is not redirected. */
export type ReturnProblem = keyof typeof EN.problems

const EN = {
  tag: 'en',
  again: 'Try again',
  triesAgain: (seconds: number) => `This page tries again by itself in ${seconds} seconds.`,
  onward: 'Back to the app',
  waiting: {
    title: 'Checking the result',
    text: 'Keep this page open. You will go back to your app in a moment.',
  },
  problems: {
    unknown: {
      title: 'This link is not valid',
      text: 'Check that it is complete, or go back to your app and start the check again.',
    },
    expired: {
      title: 'This link has expired',
      text: 'A check must end within 30 minutes. Go back to your app and start it again.',
    },
    used: {
      title: 'This check is over',
      text: 'Your app was told the result. Go back to it, and start a new check there if you need one.',
    },
    unavailable: {
      title: 'One moment, please',
      text: 'The result cannot be handled just now. Try again in a moment; you need not be checked again.',
    },
  },
}

export const WORDS: Readonly<Record<Language, typeof EN>> = {
  zh: {
    tag: 'zh-Hans',
    again: '重试',
    triesAgain: (seconds) => `此页面将在 ${seconds} 秒后自动重试。`,
    onward: '返回应用',
    waiting: { title: '正在确认结果', text: '请勿关闭此页面，稍后将自动返回应用。' },
    problems: {
      unknown: { title: '链接无效', text: '请检查链接是否完整，或返回应用重新开始认证。' },
      expired: { title: '链接已过期', text: '认证须在 30 分钟内完成。请返回应用，重新开始认证。' },
      used: { title: '认证已结束', text: '结果已告知应用。请返回应用查看，需要时重新开始认证。' },
      unavailable: { title: '请稍候', text: '结果暂时无法处理。请稍后重试，不必再次认证。' },
    },
  },
  en: EN,
  'zh-Hant': {
    tag: 'zh-Hant',
    again: '重試',
    triesAgain: (seconds) => `此頁面將在 ${seconds} 秒後自動重試。`,
    onward: '返回應用程式',
    waiting: { title: '正在確認結果', text: '請勿關閉此頁面，稍後將自動返回應用程式。' },
    problems: {
      unknown: { title: '連結無效', text: '請檢查連結是否完整，或返回應用程式重新開始驗證。' },
      expired: { title: '連結已過期', text: '驗證須在 30 分鐘內完成。請返回應用程式，重新開始驗證。' },
      used: { title: '驗證已結束', text: '結果已告知應用程式。請返回應用程式查看，需要時重新開始驗證。' },
      unavailable: { title: '請稍候', text: '結果暫時無法處理。請稍後重試，不必再次驗證。' },
    },
  },
}
