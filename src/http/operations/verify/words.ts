import type { Language } from '../../../domain/assets/verification-request.ts'

interface VerifyWords {
  title: string
  intro: string
  choose: string
  privacy: string
  noScript: string
  /** Texts that the script of the page shows. */
  results: Record<
    | 'reading'
    | 'unreadable'
    | 'busy'
    | 'later'
    | 'made'
    | 'madeText'
    | 'unknown'
    | 'unknownText'
    | 'created'
    | 'model'
    | 'c2pa'
    | 'c2pa-none'
    | 'c2pa-valid'
    | 'c2pa-invalid'
    | 'aigc'
    | 'aigc-yes'
    | 'aigc-no'
    | 'consent'
    | 'consent-none'
    | 'consent-given'
    | 'consent-withdrawn',
    string
  >
}

/** Texts of the page. */
export const VERIFY_WORDS: Readonly<Record<Language, VerifyWords>> = {
  en: {
    title: 'Was this video made here?',
    intro: 'Choose a file, or drop it on this page, to learn whether it was made with AI by this service.',
    choose: 'Choose a file',
    privacy: 'The file stays on your device. Only its SHA-256 fingerprint is sent.',
    noScript: 'This page needs JavaScript, because your browser computes the fingerprint.',
    results: {
      reading: 'Computing the fingerprint…',
      unreadable:
        'The file could not be read. The page must be opened over https, and the file must fit in memory.',
      busy: 'Too many look-ups. Try again in a minute.',
      later: 'The service does not answer. Try again later.',
      made: 'Made here with AI',
      madeText: 'This service delivered exactly this file.',
      unknown: 'Not known here',
      unknownText:
        'This service did not deliver this very file. A cut or converted copy has another fingerprint.',
      created: 'Made on',
      model: 'Model',
      c2pa: 'C2PA manifest',
      'c2pa-none': 'none',
      'c2pa-valid': 'valid',
      'c2pa-invalid': 'not valid',
      aigc: 'AIGC metadata',
      'aigc-yes': 'present',
      'aigc-no': 'none',
      consent: 'Consent of the person shown',
      'consent-none': 'no verified person in it',
      'consent-given': 'given',
      'consent-withdrawn': 'withdrawn',
    },
  },
  zh: {
    title: '这段视频是在这里生成的吗？',
    intro: '选择文件，或将文件拖到此页面，即可了解它是否由本服务用 AI 生成。',
    choose: '选择文件',
    privacy: '文件不会离开您的设备，只发送其 SHA-256 指纹。',
    noScript: '此页面需要 JavaScript，因为指纹由您的浏览器计算。',
    results: {
      reading: '正在计算指纹…',
      unreadable: '无法读取文件。请通过 https 打开此页面，并确认文件没有超出内存。',
      busy: '查询过于频繁，请一分钟后重试。',
      later: '服务没有响应，请稍后重试。',
      made: '由本服务用 AI 生成',
      madeText: '本服务交付的正是此文件。',
      unknown: '没有记录',
      unknownText: '本服务没有交付过此文件。剪辑或转换后的副本指纹不同。',
      created: '生成时间',
      model: '模型',
      c2pa: 'C2PA 清单',
      'c2pa-none': '无',
      'c2pa-valid': '有效',
      'c2pa-invalid': '无效',
      aigc: 'AIGC 元数据',
      'aigc-yes': '有',
      'aigc-no': '无',
      consent: '画面中人物的同意',
      'consent-none': '没有经过认证的人物',
      'consent-given': '已同意',
      'consent-withdrawn': '已撤回',
    },
  },
  'zh-Hant': {
    title: '這段影片是在這裡生成的嗎？',
    intro: '選擇檔案，或將檔案拖到此頁面，即可了解它是否由本服務以 AI 生成。',
    choose: '選擇檔案',
    privacy: '檔案不會離開您的裝置，只傳送其 SHA-256 指紋。',
    noScript: '此頁面需要 JavaScript，因為指紋由您的瀏覽器計算。',
    results: {
      reading: '正在計算指紋…',
      unreadable: '無法讀取檔案。請透過 https 開啟此頁面，並確認檔案沒有超出記憶體。',
      busy: '查詢過於頻繁，請一分鐘後再試。',
      later: '服務沒有回應，請稍後再試。',
      made: '由本服務以 AI 生成',
      madeText: '本服務交付的正是此檔案。',
      unknown: '沒有紀錄',
      unknownText: '本服務沒有交付過此檔案。剪輯或轉換後的副本指紋不同。',
      created: '生成時間',
      model: '模型',
      c2pa: 'C2PA 清單',
      'c2pa-none': '無',
      'c2pa-valid': '有效',
      'c2pa-invalid': '無效',
      aigc: 'AIGC 中繼資料',
      'aigc-yes': '有',
      'aigc-no': '無',
      consent: '畫面中人物的同意',
      'consent-none': '沒有經過認證的人物',
      'consent-given': '已同意',
      'consent-withdrawn': '已撤回',
    },
  },
}
