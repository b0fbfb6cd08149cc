import type { Row } from './words.ts'

/** Units and attributes of prices by their names in the admin API, and the requests that show what a model costs. */
export const unitWords: Record<string, Row> = {
  video_token: ['video token', '视频令牌', '影片權杖'],
  second: ['second', '秒', '秒'],
  input_token: ['input token', '输入令牌', '輸入權杖'],
  cached_input_token: ['cached input token', '缓存输入令牌', '快取輸入權杖'],
  cache_write_token: ['cache write token', '缓存写入令牌', '快取寫入權杖'],
  long_cache_write_token: ['long cache write token', '长期缓存写入令牌', '長期快取寫入權杖'],
  output_token: ['output token', '输出令牌', '輸出權杖'],
  web_search_call: ['web search call', '网页搜索调用', '網頁搜尋呼叫'],
  file_search_call: ['file search call', '文件搜索调用', '檔案搜尋呼叫'],
  image_generation_call: ['image generation call', '图像生成调用', '圖像生成呼叫'],
  code_session: ['code session', '代码会话', '程式碼工作階段'],
  priority_tier: ['priority tier', '优先级服务', '優先服務'],
  fast_speed: ['fast speed', '高速模式', '高速模式'],
  flex_tier: ['flex tier', '弹性服务', '彈性服務'],
  regional_inference: ['regional inference', '区域推理', '區域推論'],
  long_context_input: ['long context input', '长上下文输入', '長上下文輸入'],
  long_context_output: ['long context output', '长上下文输出', '長上下文輸出'],
  '1,000 tokens in, 1,000 out': [
    '1,000 tokens in, 1,000 out',
    '输入 1,000、输出 1,000 令牌',
    '輸入 1,000、輸出 1,000 權杖',
  ],
  '1,000 tokens in': ['1,000 tokens in', '输入 1,000 令牌', '輸入 1,000 權杖'],
  '5 s at 720p': ['5 s at 720p', '720p，5 秒', '720p，5 秒'],
  video_input: ['video input', '含视频输入', '含影片輸入'],
  no_video_input: ['no video input', '不含视频输入', '不含影片輸入'],
  audio: ['audio', '含声音', '含聲音'],
  no_audio: ['no audio', '不含声音', '不含聲音'],
}
