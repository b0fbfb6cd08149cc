import { readFileSync } from 'node:fs'
import { initSync, WasmReader } from '@contentauth/c2pa-wasm'

/** A blob whose bytes can be read synchronously, as the judge reads them in a browser's worker. */
class KeptBlob extends Blob {
  readonly kept: Uint8Array<ArrayBuffer>

  constructor(kept: Uint8Array<ArrayBuffer>) {
    super([kept])
    this.kept = kept
  }

  override slice(start = 0, end = this.kept.length): KeptBlob {
    return new KeptBlob(this.kept.slice(start, end))
  }
}

class BlobReader {
  readAsArrayBuffer({ kept }: KeptBlob): ArrayBuffer {
    return kept.slice().buffer
  }
}

interface Judgement {
  validation_state: string
  validation_status?: { code: string }[]
  active_manifest: string
  manifests: Record<string, { signature_info: { issuer: string }; ingredients?: unknown[] }>
}

/** Reads and validates the manifest of an MP4 file with c2pa-rs, which shares no code with ours. */
export async function judgeManifest(clip: Uint8Array): Promise<Judgement> {
  Object.assign(globalThis, { FileReaderSync: BlobReader })
  initSync({ module: readFileSync(new URL(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))) })
  const reader = await WasmReader.fromBlob('video/mp4', new KeptBlob(Uint8Array.from(clip)))
  return JSON.parse(reader.json())
}
