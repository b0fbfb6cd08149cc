# The image brings its own Node, so the optional npm package of it stays out.
FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
RUN npm ci --omit=dev --omit=optional --ignore-scripts

# The builder's own binaries are optional packages, so here they stay in; only the built files reach the image.
FROM node:26-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
RUN npm ci --ignore-scripts
COPY bin ./bin
COPY src ./src
COPY console ./console
RUN node bin/build-console.js

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY src ./src
COPY sandbox ./sandbox
COPY presets ./presets
COPY --from=console /app/console/dist ./console/dist
RUN node bin/warm-up.js && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/sluice.js"]
CMD ["serve"]
