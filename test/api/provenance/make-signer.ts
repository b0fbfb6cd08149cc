import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestSigner {
  certificates: string
  key: string
  root: { certificate: string; key: string }
}

/** Makes a key, a certificate for it, and the root that issues it. `kind`: arguments of `openssl genpkey`. */
export function makeSigner(kind: readonly string[], { days = 30 }: { days?: number } = {}): TestSigner {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-signer-'))
  try {
    return signerIn(folder, kind, days)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function signerIn(folder: string, kind: readonly string[], days: number): TestSigner {
  const at = (name: string) => join(folder, name)
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
  writeFileSync(at('x.cnf'), EXTENSIONS)
  for (const name of ['ca', 'leaf']) openssl('genpkey', ...kind, '-out', at(`${name}.key`))
  const config = ['-config', at('x.cnf'), '-subj']
  openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    at('ca.key'),
    ...config,
    '/O=Root',
    '-extensions',
    'ca',
    '-out',
    at('ca.pem'),
  )
  openssl('req', '-new', '-key', at('leaf.key'), ...config, '/O=Operator', '-out', at('leaf.csr'))
  const issuer = ['-days', String(days), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial']
  const extensions = ['-extfile', at('x.cnf'), '-extensions', 'leaf']
  openssl('x509', '-req', '-in', at('leaf.csr'), ...issuer, ...extensions, '-out', at('leaf.pem'))
  const [leaf = '', authority = '', key = '', rootKey = ''] = [
    'leaf.pem',
    'ca.pem',
    'leaf.key',
    'ca.key',
  ].map((name) => readFileSync(at(name), 'utf8'))
  return { certificates: leaf + authority, key, root: { certificate: authority, key: rootKey } }
}

const EXTENSIONS = `[req]
distinguished_name=dn
[dn]
[ca]
basicConstraints=critical,CA:TRUE
keyUsage=critical,keyCertSign
subjectKeyIdentifier=hash
[leaf]
keyUsage=critical,digitalSignature
extendedKeyUsage=emailProtection
authorityKeyIdentifier=keyid
`
