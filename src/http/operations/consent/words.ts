import type { Language } from '../../../domain/assets/verification-request.ts'

/** Reason for which the page shows no consent. */
export type ConsentProblem = keyof typeof EN.problems

const EN = {
  again: 'Try again',
  given: {
    title: 'Your face check',
    text: (organization: string, since: string) =>
      `${organization} has kept your face check since ${since} and can make videos with AI that show you.`,
    heading: 'If you revoke your consent:',
    effects: [
      'No new video can show you, at once.',
      'The portraits of you that were uploaded are erased.',
      'Videos that have not begun are cancelled, and videos that are being made are not handed over.',
    ],
    final:
      'This cannot be undone. Videos that were finished before are not changed: ask the organization about them.',
    button: 'Revoke my consent',
  },
  revoked: {
    title: 'Your consent is revoked',
    text: (organization: string) =>
      `${organization} can no longer use your face check, and your portraits are being erased. You can close this page.`,
  },
  revokedBefore: {
    title: 'Your consent was revoked before',
    text: (organization: string, on: string) =>
      `You revoked your consent for ${organization} on ${on}. There is nothing more to do.`,
  },
  problems: {
    unknown: { title: 'This link is not valid', text: 'Check that it is complete.' },
    gone: { title: 'Your face check is no longer kept', text: 'It was erased. There is nothing more to do.' },
    unavailable: {
      title: 'One moment, please',
      text: 'This cannot be handled just now, and your consent is as it was. Try again in a moment.',
    },
  },
}

export const CONSENT_WORDS: Readonly<Record<Language, typeof EN>> = {
  zh: {
    again: '重试',
    given: {
      title: '您的人脸认证',
      text: (organization: string, since: string) =>
        `${organization} 自 ${since} 起保存您的人脸认证，可以用 AI 制作有您形象的视频。`,
      heading: '撤回同意后：',
      effects: [
        '您的形象立即不能再用于新的视频。',
        '为您上传的肖像会被删除。',
        '尚未开始制作的视频会被取消，正在制作的视频不会交付。',
      ],
      final: '此操作无法撤销。此前已完成的视频不受影响，请就此与该机构联系。',
      button: '撤回同意',
    },
    revoked: {
      title: '同意已撤回',
      text: (organization) =>
        `${organization} 不能再使用您的人脸认证，您的肖像正在删除。现在可以关闭此页面。`,
    },
    revokedBefore: {
      title: '同意此前已撤回',
      text: (organization, on) => `您已于 ${on} 撤回对 ${organization} 的同意，无需再做任何操作。`,
    },
    problems: {
      unknown: { title: '链接无效', text: '请检查链接是否完整。' },
      gone: { title: '认证已不再保存', text: '您的人脸认证已被删除，无需再做任何操作。' },
      unavailable: { title: '请稍候', text: '暂时无法处理。您的同意状态没有改变，请稍后重试。' },
    },
  },
  en: EN,
  'zh-Hant': {
    again: '重試',
    given: {
      title: '您的人臉驗證',
      text: (organization, since) =>
        `${organization} 自 ${since} 起保存您的人臉驗證，可以用 AI 製作有您形象的影片。`,
      heading: '撤回同意後：',
      effects: [
        '您的形象立即不能再用於新的影片。',
        '為您上傳的肖像會被刪除。',
        '尚未開始製作的影片會被取消，正在製作的影片不會交付。',
      ],
      final: '此操作無法復原。此前已完成的影片不受影響，請就此與該機構聯絡。',
      button: '撤回同意',
    },
    revoked: {
      title: '同意已撤回',
      text: (organization) =>
        `${organization} 不能再使用您的人臉驗證，您的肖像正在刪除。現在可以關閉此頁面。`,
    },
    revokedBefore: {
      title: '同意此前已撤回',
      text: (organization, on) => `您已於 ${on} 撤回對 ${organization} 的同意，無需再做任何操作。`,
    },
    problems: {
      unknown: { title: '連結無效', text: '請檢查連結是否完整。' },
      gone: { title: '驗證已不再保存', text: '您的人臉驗證已被刪除，無需再做任何操作。' },
      unavailable: { title: '請稍候', text: '暫時無法處理。您的同意狀態沒有改變，請稍後重試。' },
    },
  },
}
