import grpc
import ratelimit_pb2 as pb
import ratelimit_pb2_grpc as rpc

with grpc.insecure_channel("127.0.0.1:8081") as channel:
    limiter = rpc.RateLimitServiceStub(channel)
    entry = pb.RateLimitDescriptor.Entry(key="remote_address", value="203.0.113.7")
    descriptor = pb.RateLimitDescriptor(entries=[entry])
    reply = limiter.ShouldRateLimit(pb.RateLimitRequest(domain="api", descriptors=[descriptor]), timeout=1)
    code = pb.RateLimitResponse.Code.Name(reply.overall_code)
    print(code, reply.statuses[0].limit_remaining)
