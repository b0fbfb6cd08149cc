# The image has what the npm package has: the bundle, the console, presets and sandbox media.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
COPY packages ./packages
RUN npm ci --ignore-scripts
COPY . .
RUN node bin/build-console.js && node bin/pack.js

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/packages/sluice ./
RUN mkdir /data && chown node:node /data && chmod +x bin/sluice.js && ln -s /app/bin/sluice.js /usr/local/bin/sluice
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["sluice"]
CMD ["serve"]
