import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder } from '../gateway.ts'
import { type Child, startChild } from './start-child.ts'

/** Paths of Debian and most others. */
const NGINX = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(existsSync)

/** `proxy_pass` in one process, with kept connections and nothing buffered; undefined where there is no nginx. */
export async function startNginx(upstreamUrl: string): Promise<Child | undefined> {
  if (NGINX === undefined) {
    console.log('nginx is not installed: left out')
    return undefined
  }
  const folder = freshFolder()
  const file = join(folder, 'nginx.conf')
  const child = await startChild(NGINX, (port) => {
    writeFileSync(file, configOf({ folder, port, upstream: new URL(upstreamUrl) }))
    return ['-p', folder, '-c', file, '-e', join(folder, 'error.log')]
  })
  return {
    ...child,
    async stop() {
      await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configOf({ folder, port, upstream }: { folder: string; port: number; upstream: URL }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off;
  client_max_body_size 64m;
  client_body_buffer_size 64k;
  keepalive_requests 1000000;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  upstream vendor { server ${upstream.host}; keepalive 1024; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass ${upstream.protocol}//vendor;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 600s;
    }
  }
}
`
}
