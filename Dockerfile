# Builds with all tools, runs with none of them: docker build -t openbourse .
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm prune --omit=dev && rm -rf bench test .ci

FROM node:22-bookworm-slim
ENV HOST=0.0.0.0 DATA_DIR=/data LOG_FORMAT=json
COPY --from=build /app /app
RUN install -d -o node -g node /data
USER node
WORKDIR /app
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 8080) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The program itself, without a shell or npm between it and the signals of the supervisor.
CMD ["node", "--max-semi-space-size=64", "tools/run.mjs", "main"]
