import { ConfigError, type Store } from '@sluice/core';
import { measure } from '@sluice/core/internal';
import { warn } from '@sluice/http/adapter';
import type { Policies } from '@sluice/policies';
import { exposeMetrics } from '@sluice/prometheus';
import { Registry } from 'prom-client';
import { Access } from './access/access.js';
import { tlsFilesOf } from './access/tls-files.js';
import type { ServedRequest } from './deciding/served-request.js';
import type { Service } from './deciding/service.js';
import { GrpcPort } from './grpc/grpc-port.js';
import { RateLimitService } from './grpc/rate-limit-service.js';
import { HttpPort } from './http/http-port.js';
import { fleetDashboard, type FleetDashboard } from './operations/fleet-dashboard.js';
import { OperationsPort } from './operations/operations-port.js';
import { resultOfCode, resultOfStatus } from './operations/call-result.js';
import { countCall, serverMeasures } from './operations/server-measures.js';
import type { RateLimitServer } from './rate-limit-server.js';
import { checkTls, type CheckedServeOptions, type TlsOptions } from './serve-options.js';

const GRACE_MS = 10_000;

interface Parts {
  readonly service: Service;
  readonly policies: Policies<ServedRequest>;
  readonly store: Store;
}

/** The ports of a service. The interface `RateLimitServer` documents its methods. */
export class RunningServer implements RateLimitServer {
  readonly #parts: Parts;
  readonly #listen: CheckedServeOptions['listen'];
  readonly #http: HttpPort;
  readonly #grpc: GrpcPort;
  readonly #operations: OperationsPort;
  readonly #dashboard: FleetDashboard | undefined;
  readonly #stopMetrics: () => void;
  readonly #hasTls: boolean;
  #ports: RateLimitServer['ports'] = { http: undefined, grpc: undefined, operations: undefined };
  #closing: Promise<void> | undefined;

  constructor(parts: Parts, options: CheckedServeOptions) {
    const { service, policies, store } = parts;
    const { bounds, onFailure = report } = options;
    this.#parts = parts;
    this.#listen = options.listen;
    this.#hasTls = options.tls !== undefined;
    const registry = new Registry();
    const shared = {
      access: new Access(options.tokens ?? []),
      tls: options.tls && tlsFilesOf(options.tls),
      bounds,
      onFailure,
    };
    this.#http = new HttpPort({ ...shared, service, onCall: (status) => countCall('http', resultOfStatus(status)) });
    this.#grpc = new GrpcPort({
      ...shared,
      service: new RateLimitService(service, bounds.descriptors),
      onCall: (code, isOverLimit) => countCall('grpc', resultOfCode(code, isOverLimit)),
    });
    // After the ports, which refuse certificates that do not fit: nothing of a service that did not start listens on.
    measure(serverMeasures);
    this.#stopMetrics = exposeMetrics(registry, { stores: { main: store }, policies: { limits: policies } });
    this.#dashboard = fleetDashboard(store, options.dashboardTokens);
    this.#operations = new OperationsPort({
      registry,
      dashboard: this.#dashboard,
      health: () => ({ isServing: this.#grpc.health.isServing, policies: policies.status() }),
    });
  }

  get ports(): RateLimitServer['ports'] {
    return this.#ports;
  }

  /** Makes the limiters, and takes the ports. Rejects for a port that is taken, and for limits that cannot be. */
  async listen(): Promise<void> {
    const { service, policies } = this.#parts;
    const { host, http, grpc, operations } = this.#listen;
    service.open(policies);
    // One after the other, so that a port that is taken leaves no other behind.
    if (operations !== false)
      this.#ports = { ...this.#ports, operations: await this.#operations.listen(operations, host) };
    if (http !== false) this.#ports = { ...this.#ports, http: await this.#http.listen(http, host) };
    if (grpc !== false) this.#ports = { ...this.#ports, grpc: await this.#grpc.listen(grpc, host) };
  }

  refresh(): Promise<void> {
    return this.#parts.policies.refresh();
  }

  secure(tls: TlsOptions): void {
    checkTls('secure', tls);
    if (!this.#hasTls) {
      const rule = 'was not given at the start, so that no port has TLS: give it to serve()';
      throw new ConfigError('OPTION_INVALID', 'tls', undefined, `secure: tls ${rule}`);
    }
    const files = tlsFilesOf(tls);
    this.#http.secure(files);
    this.#grpc.secure(files);
  }

  close(grace = GRACE_MS): Promise<void> {
    return (this.#closing ??= this.#close(grace));
  }

  async #close(grace: number): Promise<void> {
    const { service, policies } = this.#parts;
    this.#grpc.health.stop();
    await Promise.all([this.#http.close(grace), this.#grpc.close(grace)]);
    await this.#operations.close();
    this.#dashboard?.dashboard.close();
    this.#stopMetrics();
    policies.close();
    await service.close();
  }
}

function report(error: unknown): void {
  const { message = String(error) } = Object(error) as Partial<Error>;
  warn('SLUICE_SERVER_FAILED', `serve: a call has failed, and its caller is told nothing of it: ${message}`, message);
}
