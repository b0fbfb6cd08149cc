import { describe, expect, it } from 'vitest'
import {
  createAsset,
  createGroup,
  openAssetVendor,
  personGroup,
  readAsset,
  refusal,
} from '../../asset-client.ts'

const ORDER = { URL: 'https://example.com/cat.png', AssetType: 'Image' }

it('200: the answer is an id and nothing else', async () => {
  const vendor = await openAssetVendor()
  const GroupId = await createGroup(vendor)
  const order = { ...ORDER, GroupId, Name: 'cat', ProjectName: 'default' }
  const answers = [await vendor.call('CreateAsset', order), await vendor.call('CreateAsset', order)]
  expect(answers[0]).toMatchObject({
    status: 200,
    body: { Result: { Id: expect.stringMatching(/^asset-/) } },
  })
  expect(Object.keys(Object(answers[0]?.body).Result)).toEqual(['Id'])
  expect(answers[0]?.body).not.toEqual(answers[1]?.body)
})

describe('400', () => {
  it.each<[string, object]>([
    ['GroupId', { GroupId: undefined }],
    ['GroupId', { GroupId: 7 }],
    ['URL', { URL: undefined }],
    ['URL', { URL: 'cat.png' }],
    ['URL', { URL: 'ftp://example.com/cat.png' }],
    ['URL', { URL: `https://example.com/${'x'.repeat(2_048)}` }],
    ['AssetType', { AssetType: undefined }],
    ['AssetType', { AssetType: 'image' }],
    ['Name', { Name: 'x'.repeat(65) }],
    ['Name', { Name: 1 }],
    ['Moderation', { Moderation: false }],
  ])('InvalidParameter.%s: %j', async (name, change) => {
    const vendor = await openAssetVendor()
    const GroupId = await createGroup(vendor)
    expect(await vendor.call('CreateAsset', { ...ORDER, GroupId, ...change })).toMatchObject({
      status: 400,
      body: refusal(`InvalidParameter.${name}`),
    })
  })
})

it('404 NotFound.group_id: an unknown group, a changed one, one of another project', async () => {
  const vendor = await openAssetVendor()
  const GroupId = await createGroup(vendor)
  const wrong = [
    { GroupId: 'group-1' },
    { GroupId: `${GroupId}x` },
    { GroupId: await createAsset(vendor) },
    { GroupId, ProjectName: 'other' },
  ]
  for (const change of wrong) {
    expect(await vendor.call('CreateAsset', { ...ORDER, ...change })).toMatchObject({
      status: 404,
      body: refusal('NotFound.group_id'),
    })
  }
})

describe('the name of the file decides', () => {
  it.each([
    ['moderated', 'Image', 'ContentRestricted'],
    ['MODERATED', 'Audio', 'ContentRestricted'],
    ['sensitive', 'Image', 'InputImageSensitiveContentDetected'],
    ['sensitive', 'Video', 'InputVideoSensitiveContentDetected'],
    ['sensitive', 'Audio', 'InputAudioSensitiveContentDetected'],
    ['missing', 'Video', 'DownloadFailed'],
    ['wrongtype', 'Image', 'TypeMismatch'],
    ['badformat', 'Audio', 'FormatUnsupported'],
    ['toolarge', 'Image', 'FileSizeTooLarge'],
    ['toosmall', 'Video', 'WidthTooSmall'],
    ['tooshort', 'Video', 'DurationTooShort'],
    ['toolong', 'Audio', 'DurationTooLong'],
    ['untranscodable', 'Video', 'TranscodingFailed'],
    ['unlucky', 'Image', 'InternalError'],
    ['%6Doderated', 'Image', 'ContentRestricted'],
  ])('%s as %s: Failed with %s', async (word, AssetType, Code) => {
    const vendor = await openAssetVendor()
    const URL = `https://example.com/folder/my-${word}-file.bin?v=1`
    const id = await createAsset(vendor, { URL, AssetType })
    expect(await readAsset(vendor, id)).toMatchObject({ Status: 'Processing' })
    vendor.vendors.passSeconds(30)
    const failed = await readAsset(vendor, id)
    expect(failed).toMatchObject({ Status: 'Failed', Error: { Code, Message: expect.any(String) } })
    expect(failed).not.toHaveProperty('URL')
  })

  it.each([
    ['noface.png', 'Image', 'No face was found.'],
    ['twofaces.png', 'Image', 'More than one face was found.'],
    ['otherface.mp4', 'Video', 'The face is not that of the verified person.'],
  ])('%s: FaceMismatch in the group of a person, and only there', async (name, AssetType, Message) => {
    const vendor = await openAssetVendor()
    const order = { URL: `https://example.com/${name}`, AssetType }
    const elsewhere = await createAsset(vendor, order)
    const withPerson = await createAsset(vendor, { ...order, GroupId: await personGroup(vendor) })
    vendor.vendors.passSeconds(30)
    expect(await readAsset(vendor, elsewhere)).toMatchObject({ Status: 'Active' })
    expect(await readAsset(vendor, withPerson)).toMatchObject({
      Status: 'Failed',
      Error: { Code: 'FaceMismatch', Message },
    })
  })

  it.each([
    ['noface.wav', 'Audio'],
    ['toolong.png', 'Image'],
    ['toosmall.wav', 'Audio'],
  ])('%s as %s is fine', async (name, AssetType) => {
    const vendor = await openAssetVendor()
    const GroupId = await personGroup(vendor)
    const id = await createAsset(vendor, { URL: `https://example.com/${name}`, AssetType, GroupId })
    vendor.vendors.passSeconds(30)
    expect(await readAsset(vendor, id)).toMatchObject({ Status: 'Active' })
  })

  it('only the name counts, not the folder or the query', async () => {
    const vendor = await openAssetVendor()
    const id = await createAsset(vendor, { URL: 'https://moderated.example/missing/%ff?name=toolarge' })
    vendor.vendors.passSeconds(30)
    expect(await readAsset(vendor, id)).toMatchObject({ Status: 'Active' })
  })

  it.each([
    ['instant', 0, 'Active'],
    ['instant-moderated', 0, 'Failed'],
    ['slow', 299, 'Processing'],
    ['slow', 300, 'Active'],
    ['slow-moderated', 300, 'Failed'],
    ['stuck', 1_000_000, 'Processing'],
  ])('%s: after %i s %s', async (name, seconds, Status) => {
    const vendor = await openAssetVendor()
    const id = await createAsset(vendor, { URL: `https://example.com/${name}.png` })
    vendor.vendors.passSeconds(seconds)
    expect(await readAsset(vendor, id)).toMatchObject({ Status })
  })
})

describe('the sample library', () => {
  it.each([
    ['portrait.png', 'Image', { Status: 'Active' }],
    ['clip.mp4', 'Video', { Status: 'Active' }],
    ['tone.wav', 'Audio', { Status: 'Active' }],
    ['portrait.png', 'Video', { Status: 'Failed', Error: { Code: 'TypeMismatch' } }],
    ['nothing.png', 'Image', { Status: 'Failed', Error: { Code: 'DownloadFailed' } }],
    ['portrait-moderated.png', 'Image', { Status: 'Failed', Error: { Code: 'ContentRestricted' } }],
  ])('%s as %s: %j', async (name, AssetType, shown) => {
    const vendor = await openAssetVendor()
    const id = await createAsset(vendor, { URL: `${vendor.url}/samples/${name}`, AssetType })
    vendor.vendors.passSeconds(30)
    expect(await readAsset(vendor, id)).toMatchObject(shown)
  })
})
