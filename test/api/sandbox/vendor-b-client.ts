import { type Answer, textAt, type Vendors } from './open-vendors.ts'

const VIDEO = '/vendor-b/api/v1/video'

/** A body that the vendor takes for each work. */
export const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  text2video: { prompt: 'A cat', mode: 'std' },
  image2video: { mode: 'fast', first_frame_image: 'https://example.com/a.png' },
  'omni-video': {
    mode: 'std',
    ref_images: [
      { tag: '@cat', type: 'image', image_urls: ['https://example.com/a.png', 'https://example.com/b.png'] },
    ],
  },
  multiobject: { prompt: 'A cat', ref_images: ['https://example.com/a.png'] },
  extension: { prompt: 'A cat', prefix_video: 'https://example.com/a.mp4' },
  'extension/cutshot': { prefix_video: 'https://example.com/a.mp4', cut_type: 'close-up' },
  styletransfer: { video_url: 'https://example.com/a.mp4', style_name: 'paper' },
}

/** Sends a work's body with these members in place of its own; undefined removes a member. */
export function submit(vendors: Vendors, work: string, members: object = {}): Promise<Answer> {
  return vendors.call('POST', `${VIDEO}/${work}/submit`, { api_key: 'key', ...BODIES[work], ...members })
}

export async function submitTask(vendors: Vendors, work: string, members: object = {}): Promise<string> {
  return textAt(await submit(vendors, work, members), 'task_id')
}

/** Reads a task; the vendor asks for no credential. */
export function poll(vendors: Vendors, work: string, id: string): Promise<Answer> {
  return vendors.call('GET', `${VIDEO}/${work}/task/${id}`, undefined, { authorization: '' })
}
