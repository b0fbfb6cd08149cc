# The image brings its own Node, so the optional npm package of it stays out.
# The builders and their binaries are dev and optional packages: they stay in this stage.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY console/package.json ./console/
COPY packages/dialects/package.json ./packages/dialects/
RUN npm ci --ignore-scripts
COPY bin ./bin
COPY packages ./packages
COPY src ./src
COPY sandbox ./sandbox
COPY presets ./presets
COPY console ./console
RUN node bin/build-console.js && node bin/warm-up.js && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
# All from one stage: the bundle runs while the files that it was made from have the times that they had.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/packages ./packages
COPY --from=build /app/src ./src
COPY --from=build /app/sandbox ./sandbox
COPY --from=build /app/presets ./presets
COPY --from=build /app/console/dist ./console/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/sluice.js"]
CMD ["serve"]
