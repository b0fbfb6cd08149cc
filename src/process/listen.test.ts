import { createServer } from 'node:net'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

test('a port that is taken is told as a setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  await expect(listen(fastify(), { host: '127.0.0.1', port: address.port })).rejects.toThrow(
    `PORT: ${address.port} is already in use on 127.0.0.1.`,
  )
})

test('a host that is not of this machine is told as a setting', async () => {
  await expect(listen(fastify(), { host: '192.0.2.1', port: 0 })).rejects.toThrow(
    'HOST: "192.0.2.1" is not an address of this machine.',
  )
})
