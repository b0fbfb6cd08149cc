import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { ConfigProblem } from './config-error.ts'
import { Secret } from './secret.ts'

export interface C2paSigner {
  /** In PEM, the signer's own first. */
  certificates: string
  key: Secret
  fromMs: number
  untilMs: number
}

const CERTIFICATE = 'C2PA_CERT_FILE'
const KEY = 'C2PA_KEY_FILE'
/** Extended key usages that C2PA accepts: protection of e-mail, signatures of documents, and that of C2PA. */
const USES: readonly string[] = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36', '1.3.6.1.4.1.62558.2.1']
const CURVES: readonly unknown[] = ['prime256v1', 'secp384r1']

/** Reads certificate and key, and reports what validators of C2PA would refuse. */
export function readC2paSigner(given: {
  certificate: string | undefined
  key: string | undefined
  readFile(path: string): string
  report(problem: ConfigProblem): void
}): C2paSigner | undefined {
  const { readFile, report } = given
  const certificates = read(CERTIFICATE, given.certificate)
  const key = read(KEY, given.key)
  if (certificates === undefined || key === undefined) return undefined
  const certificate = parse(() => new X509Certificate(certificates))
  const privateKey = parse(() => createPrivateKey(key))
  if (certificate === undefined)
    report({ setting: CERTIFICATE, wrong: 'it has no certificate', fix: 'Use a file in PEM.' })
  if (privateKey === undefined)
    report({ setting: KEY, wrong: 'it has no private key', fix: 'Use a file in PEM without a password.' })
  if (certificate === undefined || privateKey === undefined) return undefined
  const problem = problemOf(certificate, privateKey)
  if (problem !== undefined) report(problem)
  const [fromMs, untilMs] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()]
  return { certificates, key: new Secret(key), fromMs, untilMs }

  function read(setting: string, path: string | undefined): string | undefined {
    const text = path === undefined ? undefined : parse(() => readFile(path))
    if (text !== undefined) return text
    const wrong = path === undefined ? 'it is missing, and MARK_CLIPS has c2pa' : `"${path}" cannot be read`
    report({ setting, wrong, fix: 'Name a file in PEM that this user may read.' })
    return undefined
  }
}

function problemOf(certificate: X509Certificate, key: KeyObject): ConfigProblem | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  const isKnown = type === 'ed25519' || type === 'rsa' || CURVES.includes(details?.namedCurve)
  if (!isKnown)
    return { setting: KEY, wrong: 'its kind is unknown to C2PA', fix: 'Use P-256, P-384, Ed25519 or RSA.' }
  if (!certificate.checkPrivateKey(key))
    return { setting: KEY, wrong: 'it belongs to another certificate', fix: `Use the key of ${CERTIFICATE}.` }
  const fix =
    'Ask the issuer for a certificate that signs C2PA manifests; docs/provenance.md makes one for trials.'
  if (certificate.ca || certificate.checkIssued(certificate))
    return { setting: CERTIFICATE, wrong: 'its first certificate is an authority or signed by itself', fix }
  if (!certificate.keyUsage?.some((use) => USES.includes(use)))
    return { setting: CERTIFICATE, wrong: 'it may not sign documents (extended key usage)', fix }
  return undefined
}

function parse<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
