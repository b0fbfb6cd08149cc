import { describe, expect, test } from 'vitest'
import { makeSigner } from '../../test/api/provenance/make-signer.ts'
import { readConfig } from '../compose/config.ts'
import { ConfigError } from './config-error.ts'

const P256 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']
const SIGNER = makeSigner(P256)
const OTHER = makeSigner(['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'])
const [LEAF = ''] = SIGNER.certificates.split(/(?<=END CERTIFICATE-----\n)/)
const MARKED = { MEDIA_STORE: 'folder', MARK_CLIPS: 'aigc, c2pa' }
const FILES = { C2PA_CERT_FILE: 'c.pem', C2PA_KEY_FILE: 'k.pem' }

function read(environment: Record<string, string>, files: Record<string, string> = {}) {
  return readConfig({
    environment,
    readFile(path) {
      const text = path === './sluice.yaml' ? 'providers: {}' : files[path]
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      return text
    },
  }).media.marks
}

function faultsOf(...given: Parameters<typeof read>): string[] {
  try {
    read(...given)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ setting, wrong }) => `${setting}: ${wrong}`)
    throw error
  }
}

describe('MARK_CLIPS', () => {
  test('is a list of marks; c2pa reads certificate and key', () => {
    expect(read({ ...MARKED, ...FILES }, { 'c.pem': SIGNER.certificates, 'k.pem': SIGNER.key })).toEqual({
      hasAigc: true,
      aigcProducer: undefined,
      signer: expect.objectContaining({ certificates: SIGNER.certificates }),
    })
    expect(read({ ...MARKED, MARK_CLIPS: 'aigc' })).toMatchObject({ hasAigc: true, signer: undefined })
    expect(read({})).toMatchObject({ hasAigc: false, signer: undefined })
  })

  test('needs copies, files and known words', () => {
    expect(faultsOf({ MARK_CLIPS: 'aigc' })).toEqual(['MARK_CLIPS: it is set, and MEDIA_STORE is off'])
    expect(faultsOf({ ...MARKED, MARK_CLIPS: 'aigc,c2p' })).toEqual([
      'MARK_CLIPS: "aigc,c2p" is not one of the known words',
    ])
    expect(faultsOf(MARKED)).toEqual([
      'C2PA_CERT_FILE: it is missing, and MARK_CLIPS has c2pa',
      'C2PA_KEY_FILE: it is missing, and MARK_CLIPS has c2pa',
    ])
    expect(faultsOf({ ...MARKED, ...FILES })).toEqual([
      'C2PA_CERT_FILE: "c.pem" cannot be read',
      'C2PA_KEY_FILE: "k.pem" cannot be read',
    ])
  })

  test.each([
    ['text', 'text', ['C2PA_CERT_FILE: it has no certificate', 'C2PA_KEY_FILE: it has no private key']],
    [SIGNER.certificates, OTHER.key, ['C2PA_KEY_FILE: its kind is unknown to C2PA']],
    [SIGNER.certificates, makeSigner(P256).key, ['C2PA_KEY_FILE: it belongs to another certificate']],
  ])('refuses a pair that cannot sign (%#)', (certificates, key, faults) => {
    expect(faultsOf({ ...MARKED, ...FILES }, { 'c.pem': certificates, 'k.pem': key })).toEqual(faults)
  })

  test('refuses a certificate that validators would refuse', () => {
    const files = (certificates: string) => ({ 'c.pem': certificates, 'k.pem': SIGNER.key })
    expect(faultsOf({ ...MARKED, ...FILES }, files(LEAF))).toEqual([])
    expect(
      faultsOf({ ...MARKED, ...FILES }, { 'c.pem': SIGNER.root.certificate, 'k.pem': SIGNER.root.key }),
    ).toEqual(['C2PA_CERT_FILE: its first certificate is an authority or signed by itself'])
  })
})
