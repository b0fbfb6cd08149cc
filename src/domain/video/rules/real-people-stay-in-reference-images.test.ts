import { describe, expect, test } from 'vitest'
import {
  A,
  audio,
  image,
  requestOf,
  text,
  V3,
  V4,
  video,
  videoModel,
  type Wish,
} from '../../../../test/video/prepare.ts'
import { realPeopleStayInReferenceImages } from './real-people-stay-in-reference-images.ts'

const judge = (model: string, content: Wish['content']) =>
  realPeopleStayInReferenceImages({
    request: requestOf({ model, content }),
    family: videoModel(model).family,
    personIndex: 1,
  })

describe('real people stay in reference images', () => {
  test.each([
    ['with their role', [text('image 1 waves'), image('anna.png', { role: 'reference_image' })]],
    ['without a role', [text('image 1 waves'), image('anna.png')]],
    ['beside other images', [text('image 1 and image 2'), image('anna.png'), image('cat.png')]],
    ['without a text', [image('cat.png'), image('anna.png')]],
  ])('accepted %s', (_name, content) => {
    expect(judge(A, content)).toBeUndefined()
    expect(judge('vendorA/gen-2.0-fast', content)).toBeUndefined()
  })

  test.each([V4, V3])('400 with a model of family B: %s', (model) => {
    expect(judge(model, [text('image 1 waves'), image('anna.png')])).toMatchObject({
      status: 400,
      code: 'asset_not_usable',
      param: 'content[1].image_url.url',
      message: expect.stringContaining('vendorA/gen-2.0 and vendorA/gen-2.0-fast only'),
    })
  })

  test('400 names the item as the client wrote it', () => {
    const apiError = judge(V4, [text('image 1 waves'), video('anna.mp4', { tag: '@anna' })])
    expect(apiError).toMatchObject({ param: 'content[1].video_url.url' })
  })

  test.each([
    ['a video', video('street.mp4'), 'content[2].type'],
    ['audio', audio('song.mp3'), 'content[2].type'],
    ['an image in another role', image('cat.png', { role: 'first_frame' }), 'content[2].role'],
  ])('400 beside %s', (_name, item, param) => {
    expect(judge(A, [text('image 1 waves'), image('anna.png'), item])).toMatchObject({
      status: 400,
      code: 'asset_not_usable',
      param,
      message: expect.stringContaining('text and image_url items (role reference_image) only'),
    })
  })
})
