import { inGroup } from './in-group.ts'
import { httpUrl } from './kinds/http-url.ts'
import { integer } from './kinds/integer.ts'
import { oneOf, secretText, someOf, text } from './kinds/text.ts'

export const MEDIA_SETTINGS = inGroup('media', {
  MEDIA_STORE: {
    kind: oneOf(['off', 'folder', 's3']),
    default: 'off',
    meaning:
      'Where finished videos, their last pictures, active assets and images uploaded to `/v1/videos` are kept. `folder`: `media` in `DATA_DIR`, which all replicas must share. `s3`: any S3-compatible service; copies pass through `DATA_DIR`.',
  },
  MEDIA_KEPT_DAYS: {
    kind: integer({ min: 1, max: 36_500 }),
    default: '30',
    meaning:
      'Days for which a copy is kept. It goes earlier with its task, its organization, or the consent of a person in it.',
  },
  MEDIA_MAX_MB: {
    kind: integer({ min: 1, max: 5_000 }),
    default: '1000',
    meaning: 'Largest file that is copied, in MB of 1,000,000 bytes.',
  },
  MEDIA_ORG_MAX_GB: {
    kind: integer({ min: 0, max: 1_000_000 }),
    default: '0',
    meaning: 'GB of copies per organization; beyond it no more are made. `0`: no limit.',
  },
  S3_ENDPOINT: {
    kind: httpUrl,
    meaning: 'Address of the S3 service, without the bucket, which is written into the path.',
  },
  S3_REGION: { kind: text({ takes: 'a region' }), default: 'us-east-1', meaning: 'Region of the bucket.' },
  S3_BUCKET: { kind: text({ takes: 'the name of a bucket' }), meaning: 'Bucket of the copies.' },
  S3_PREFIX: {
    kind: text({ takes: 'the beginning of keys' }),
    default: 'sluice/',
    meaning: 'Beginning of every key. Nothing else may be stored under it.',
  },
  S3_ACCESS_KEY_ID: {
    kind: text({ takes: 'an access key id' }),
    meaning: 'Access key that may list, read, write and delete under `S3_PREFIX`.',
  },
  S3_SECRET_ACCESS_KEY: {
    kind: secretText({ min: 1, inHeader: false }),
    meaning: 'Secret of the access key.',
  },
  MARK_CLIPS: {
    kind: someOf(['aigc', 'c2pa']),
    meaning:
      'Marks that copies get: `aigc`, the metadata of GB 45438-2025, and `c2pa`, a manifest signed with `C2PA_CERT_FILE`. Marks of the vendor stay.',
  },
  AIGC_PRODUCER: {
    kind: text({ takes: 'the name or code of a company' }),
    meaning:
      '`ContentProducer` in the `AIGC` metadata: your name or code. Left out: the host of `PUBLIC_BASE_URL`.',
  },
  C2PA_CERT_FILE: {
    kind: text({ takes: 'the path of a file' }),
    meaning: 'Certificate for manifests, in PEM, followed by those between it and its root.',
  },
  C2PA_KEY_FILE: {
    kind: text({ takes: 'the path of a file' }),
    meaning: 'Private key of this certificate, in PEM: P-256, P-384, Ed25519 or RSA.',
  },
  VERIFY_PAGE: {
    kind: oneOf(['on', 'off']),
    default: 'off',
    meaning:
      'Whether visitors without a key may ask by the hash of a file if this gateway made it: the page `/verify` and `GET /v1/provenance/{sha256}`, 60 times a minute and address.',
  },
})
