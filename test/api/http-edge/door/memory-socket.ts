import { Duplex } from 'node:stream'

/** Connection without a network: packets are pushed by the test, and what the server writes is kept. */
export class MemorySocket extends Duplex {
  remoteAddress = '127.0.0.1'
  bytesRead = 0
  written = ''
  /** Node reads a real socket through such a handle. */
  readonly _handle = {
    onread: (): void => void (this.#isReset ? this.destroy() : this.push(null)),
    readStart() {},
    readStop() {},
  }
  #isReset = false

  constructor() {
    super({ allowHalfOpen: true })
    this.on('error', () => {})
  }

  arrive(packet: Buffer): void {
    if (this.readableEnded || this.destroyed) return
    this.bytesRead += packet.length
    this.push(Buffer.from(packet))
  }

  /** Its client resets the connection. */
  leave(): void {
    this.#isReset = true
    this._handle.onread()
  }

  /** Its client ends the input, and may wait for a response. */
  leaveHalf(): void {
    this._handle.onread()
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.written += bytes.toString('latin1')
    done()
  }

  /** The client learns of the end later, and may send more until then. */
  override _final(done: () => void): void {
    setImmediate(() => setImmediate(done))
  }

  setTimeout(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }
}
