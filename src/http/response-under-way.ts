import { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The answer a socket is busy with. Node keeps it under this name, and looks at it for the same reasons. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage')
  return message instanceof ServerResponse ? message : undefined
}
