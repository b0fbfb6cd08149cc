/** Only the members that the judge of videos uses: the types of the package need a second schema library. */
declare module 'ai' {
  interface VideoWish {
    model: unknown
    prompt: string
    aspectRatio?: string
    resolution?: string
    duration?: number
    seed?: number
    maxRetries?: number
    providerOptions?: Record<string, Record<string, unknown>>
    download?(wish: { url: URL }): Promise<{ data: Uint8Array; mediaType: string | undefined }>
  }
  export function experimental_generateVideo(wish: VideoWish): Promise<{
    video: { uint8Array: Uint8Array; mediaType: string }
    providerMetadata: Record<string, unknown>
  }>
}

declare module '@ai-sdk/bytedance' {
  export function createByteDance(options: { baseURL: string; apiKey: string }): {
    video(modelId: string): unknown
  }
}
