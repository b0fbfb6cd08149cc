import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { X509Certificate } from '@peculiar/x509'
import { CoseAlgorithmIdentifier, type Signer } from '@trustnxt/c2pa-ts/cose'

/** Certificates in PEM, the signer's own first, and its private key. */
export interface SigningCredential {
  certificates: string
  key: string
}

/** Signs with a key on a named curve (P-256, P-384), Ed25519 or RSA; throws an error for any other. */
export function clipSigner({ certificates, key }: SigningCredential): Signer {
  const [certificate, ...chainCertificates] = (certificates.match(PEM) ?? []).map(
    (pem) => new X509Certificate(pem),
  )
  if (certificate === undefined) throw new Error('There is no certificate in PEM.')
  const privateKey = createPrivateKey(key)
  const [algorithm, hash] = algorithmOf(privateKey)
  return {
    algorithm,
    certificate,
    chainCertificates,
    sign: (payload) => {
      const options = { key: privateKey, dsaEncoding: 'ieee-p1363', padding: 6, saltLength: 32 } as const
      return Promise.resolve(new Uint8Array(sign(hash, payload, options)))
    },
  }
}

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  if (type === 'ed25519') return [CoseAlgorithmIdentifier.Ed25519, null] as const
  if (type === 'rsa') return [CoseAlgorithmIdentifier.PS256, 'sha256'] as const
  if (details?.namedCurve === 'prime256v1') return [CoseAlgorithmIdentifier.ES256, 'sha256'] as const
  if (details?.namedCurve === 'secp384r1') return [CoseAlgorithmIdentifier.ES384, 'sha384'] as const
  throw new Error('A key for C2PA is on P-256 or P-384, Ed25519 or RSA.')
}
